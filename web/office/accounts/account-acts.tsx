import type { Answer } from '#web/office/data/office-calls.ts';
import { ActButton } from '#web/office/parts/act-button.tsx';

interface AccountActsProps {
  readonly account: Answer<'getAccount'>;
  readonly tag: string | null;
  readonly onDone: () => void;
}

const FreezeText = () => (
  <p>
    Until it is released it cannot trade, withdraw or transfer. Its owner can still read, cancel orders and end keys.
  </p>
);

const ReleaseText = () => <p>It can trade, withdraw and transfer again, as far as its switches let it.</p>;

const who = ({ uid, name }: Answer<'getAccount'>): string => `account ${uid} (${name})`;

/** What can be done to an account as a whole. */
export function AccountActs({ account, tag, onDone }: AccountActsProps) {
  const { uid, status, switches } = account;
  const act = { fixed: { uid }, tag, onDone } as const;
  const isFrozen = status === 'frozen';
  const isClosed = status === 'closed';
  return (
    <div class="office-acts">
      {isClosed ? null : (
        <ActButton
          {...act}
          id="setAccountStatus"
          label={isFrozen ? 'Release' : 'Freeze'}
          title={`${isFrozen ? 'Release' : 'Freeze'} ${who(account)}`}
          kind={isFrozen ? 'plain' : 'sell'}
          about={isFrozen ? <ReleaseText /> : <FreezeText />}
          fixed={{ uid, status: isFrozen ? 'normal' : 'frozen' }}
        />
      )}
      <ActButton
        {...act}
        id="setSwitches"
        label="Switches"
        title={`Switches of ${who(account)}`}
        current={switches}
        members={['trade', 'withdraw', 'api', 'cancelOrders']}
      />
      <ActButton {...act} id="setKycLevel" label="KYC level" title={`KYC level of ${who(account)}`} current={account} />
      <ActButton {...act} id="setAccountClass" label="Class" title={`Class of ${who(account)}`} current={account} />
      <ActButton {...act} id="setContact" label="Contact" title={`Contact of ${who(account)}`} current={account} />
      <ActButton
        {...act}
        id="setAllowList"
        label="Allow list"
        title={`Allow list of ${who(account)}`}
        current={{ enabled: account.allowListEnabled }}
      />
      <ActButton
        {...act}
        id="setAccountClosed"
        label={isClosed ? 'Reopen' : 'Close'}
        title={`${isClosed ? 'Reopen' : 'Close'} ${who(account)}`}
        fixed={{ uid, closed: !isClosed }}
      />
    </div>
  );
}
