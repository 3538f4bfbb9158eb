import { useState } from 'preact/hooks';
import { useAct } from '#web/data/use-answer.ts';
import type { Withdrawal } from '#web/data/wallet.ts';
import { Button } from '#web/design/button.tsx';
import { ConfirmDialog } from '#web/design/confirm-dialog.tsx';
import { ShortHash } from '#web/design/copy-button.tsx';
import { StateName } from '#web/design/facts.tsx';
import { type Column, Table } from '#web/design/table.tsx';
import { say } from '#web/design/toasts.tsx';
import { NumberText, Sum, TimeText } from '#web/design/values.tsx';
import { mayCancel, withdrawalState } from '#web/pages/wallet/states.ts';

const State = ({ status }: { readonly status: number }) => {
  const { text, standing, why } = withdrawalState(status);
  return (
    <span title={why}>
      <StateName text={text} standing={standing} />
    </span>
  );
};

const columns: readonly Column<Withdrawal>[] = [
  { title: 'Time', cell: ({ applyTime }) => <TimeText at={applyTime} /> },
  { title: 'State', cell: ({ status }) => <State status={status} /> },
  { title: 'Coin', cell: ({ coin }) => coin },
  { title: 'Amount', isRight: true, cell: ({ amount }) => <NumberText value={amount} /> },
  { title: 'Fee', isRight: true, cell: ({ transactionFee }) => <NumberText value={transactionFee} /> },
  { title: 'Network', cell: ({ network, transferType }) => (transferType === 1 ? 'Inside' : network) },
  { title: 'To', style: 'wrap', cell: ({ address }) => <span class="code">{address}</span> },
  { title: 'Memo', cell: ({ memo }) => memo ?? '–' },
  { title: 'Remark', style: 'wrap', cell: ({ remark }) => remark ?? '–' },
  { title: 'Transaction', cell: ({ txId }) => (txId === null ? '–' : <ShortHash hash={txId} />) },
];

interface CancelProps {
  readonly withdrawal: Withdrawal;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Asks before a withdrawal is cancelled. */
function CancelDialog({ withdrawal, onClose, onDone }: CancelProps) {
  const act = useAct();
  const { id, amount, coin, address } = withdrawal;
  const cancel = async (): Promise<void> => {
    const isDone = await act.run(async (client) => void (await client.cancelWithdrawal({ id })));
    if (!isDone) return;
    say(`Cancelled: ${amount} ${coin} are free again.`, 'good');
    onDone();
  };
  return (
    <ConfirmDialog
      title="Cancel the withdrawal?"
      act="Cancel the withdrawal"
      isHarsh
      isBusy={act.isBusy}
      refused={act.refusal?.text ?? null}
      onConfirm={() => void cancel()}
      onClose={onClose}
      facts={[
        ['Amount', <Sum value={amount} coin={coin} />],
        ['To', <span class="code">{address}</span>],
      ]}
    />
  );
}

interface WithdrawalListProps {
  readonly withdrawals: readonly Withdrawal[];
  readonly empty: string;
  /** One was cancelled. */
  readonly onChange: () => void;
}

/** Withdrawals, newest first; those that are not sent yet can be cancelled. DEC-WEB-34. */
export function WithdrawalList({ withdrawals, empty, onChange }: WithdrawalListProps) {
  const [cancelled, setCancelled] = useState<Withdrawal | null>(null);
  const acts: Column<Withdrawal> = {
    title: '',
    cell: (withdrawal) =>
      mayCancel(withdrawal.status) ? (
        <Button isSmall onClick={() => setCancelled(withdrawal)}>
          Cancel
        </Button>
      ) : null,
  };
  const close = (): void => setCancelled(null);
  return (
    <>
      <Table
        label="Withdrawals"
        columns={[...columns.slice(0, 6), acts, ...columns.slice(6)]}
        rows={withdrawals}
        keyOf={({ id }) => id}
        empty={empty}
      />
      {cancelled === null ? null : (
        <CancelDialog
          withdrawal={cancelled}
          onClose={close}
          onDone={() => {
            close();
            onChange();
          }}
        />
      )}
    </>
  );
}
