import type { Deposit } from '#web/data/wallet.ts';
import { ShortHash } from '#web/design/copy-button.tsx';
import { StateName } from '#web/design/facts.tsx';
import { type Column, Table } from '#web/design/table.tsx';
import { NumberText, TimeText } from '#web/design/values.tsx';
import { depositState } from '#web/pages/wallet/states.ts';

/** How far a deposit is: confirmations until it counts. */
const Confirmations = ({ deposit }: { readonly deposit: Deposit }) => {
  const [have, need] = [Number(deposit.confirmTimes), Number(deposit.unlockConfirm)];
  return (
    <span class="confirmations">
      <span class="number">
        {have}/{need}
      </span>
      {deposit.status === 4 ? <progress value={have} max={Math.max(need, 1)} aria-label="Confirmations" /> : null}
    </span>
  );
};

const State = ({ status }: { readonly status: number }) => {
  const { text, standing, why } = depositState(status);
  return (
    <span title={why}>
      <StateName text={text} standing={standing} />
    </span>
  );
};

const columns: readonly Column<Deposit>[] = [
  { title: 'Time', cell: ({ insertTime }) => <TimeText at={insertTime} /> },
  { title: 'Coin', cell: ({ coin }) => coin },
  { title: 'Amount', isRight: true, cell: ({ amount }) => <NumberText value={amount} /> },
  { title: 'Network', cell: ({ network }) => network },
  { title: 'State', cell: ({ status }) => <State status={status} /> },
  { title: 'Confirmations', cell: (deposit) => <Confirmations deposit={deposit} /> },
  { title: 'Memo', cell: ({ memo }) => memo ?? '–' },
  { title: 'Transaction', cell: ({ txId }) => <ShortHash hash={txId} /> },
];

/** Deposits, newest first. */
export const DepositList = ({ deposits, empty }: { readonly deposits: readonly Deposit[]; readonly empty: string }) => (
  <Table
    label="Deposits"
    columns={columns}
    rows={deposits}
    keyOf={({ txId, network, address, amount }) => `${network} ${txId} ${address} ${amount}`}
    empty={empty}
  />
);
