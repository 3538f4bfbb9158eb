import { useAnswer } from '#web/data/use-answer.ts';
import type { CoinNetwork } from '#web/data/wallet.ts';

interface AddressBookProps {
  readonly coin: string;
  readonly network: CoinNetwork;
  readonly onChoose: (address: string, memo: string) => void;
}

const shownMax = 100;

/** Addresses that the account paid to before, on the network. There is nothing where there are none. DEC-WEB-34. */
export function AddressBook({ coin, network, onChoose }: AddressBookProps) {
  const { value } = useAnswer((client) => client.savedAddresses({ coin, limit: shownMax }), [coin]);
  const saved = (value?.data ?? []).filter(({ netWork }) => netWork === network.netWork);
  if (saved.length === 0) return null;
  return (
    <select
      class="address-book"
      aria-label="Address book"
      value=""
      onChange={(event) => {
        const chosen = saved[Number(event.currentTarget.value)];
        event.currentTarget.value = '';
        if (chosen !== undefined) onChoose(chosen.address, chosen.memo ?? '');
      }}
    >
      <option value="">Address book</option>
      {saved.map(({ address, memo }, index) => (
        <option key={`${address} ${memo}`} value={index}>
          {memo === null ? address : `${address} · ${memo}`}
        </option>
      ))}
    </select>
  );
}
