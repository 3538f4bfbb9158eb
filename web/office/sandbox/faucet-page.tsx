import { Loading } from '#web/design/states.tsx';
import { useList } from '#web/office/data/use-office.ts';
import { OfficePage, Part } from '#web/office/parts/office-page.tsx';
import { usePeople } from '#web/office/sandbox/account-field.tsx';
import { FaucetGive } from '#web/office/sandbox/faucet-give.tsx';
import { FaucetKey, FaucetOpen } from '#web/office/sandbox/faucet-keys.tsx';
import '#web/office/sandbox/sandbox.css';
import '#web/office/sandbox/tools.css';

const coinsMax = 200;

function Faucet() {
  const { people, reload } = usePeople();
  const assets = useList('listAssets', { limit: coinsMax });
  const coins = (assets.value ?? []).map(({ asset }) => asset);
  // Without the right to read them coins are typed in.
  if (assets.value === null && assets.fault === null) return <Loading />;
  return (
    <>
      <Part title="Give to an account">
        <FaucetGive people={people} coins={coins} />
      </Part>
      <div class="office-cards">
        <Part title="Open an account with money">
          <FaucetOpen coins={coins} onOpened={reload} />
        </Part>
        <Part title="A key of any account">
          <FaucetKey people={people} />
        </Part>
      </div>
    </>
  );
}

/** Play money: for an account that there is, or for a new one with a key. DEC-WEB-69. */
export const Page = () => (
  <OfficePage title="Faucet" scope="market:control">
    <Faucet />
  </OfficePage>
);
