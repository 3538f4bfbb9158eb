import { useEffect, useState } from 'preact/hooks';
import { ChoiceField } from '#web/design/field.tsx';
import { Empty } from '#web/design/states.tsx';
import { Table } from '#web/design/table.tsx';
import { NumberText, TimeText } from '#web/design/values.tsx';
import { type Answer, type Item, readOfficeText } from '#web/office/data/office-calls.ts';
import { useList } from '#web/office/data/use-office.ts';
import { mayDo } from '#web/office/operator-session.ts';
import { AccountLink, ShortText } from '#web/office/parts/links.tsx';
import { ReadingView } from '#web/office/parts/reading-view.tsx';

type Past = Answer<'exportWithdrawals'>[number];
/** How far a withdrawal is. */
export type WithdrawalStatus = Item<'listWithdrawals'>['status'];

const statuses: readonly WithdrawalStatus[] = [
  ...(['apply', 'auditing', 'manual', 'wait', 'processing', 'packaging', 'confirming'] as const),
  ...(['success', 'failed', 'cancelled'] as const),
];

interface StatusFieldProps {
  readonly value: WithdrawalStatus | '';
  readonly onChoose: (status: WithdrawalStatus | '') => void;
}

/** Narrows a list down to one state. */
export const StatusField = ({ value, onChoose }: StatusFieldProps) => (
  <div class="office-filters">
    <ChoiceField
      label="State"
      value={value}
      choices={[{ value: '', text: 'All' }, ...statuses.map((status) => ({ value: status, text: status }))]}
      onChoose={onChoose}
    />
  </div>
);

const namesMax = 100;

/** Names of accounts by uid, of the first hundred; none for a token that may not read accounts. */
export function useAccountNames(): ReadonlyMap<number, string> {
  const { value } = useList('listAccounts', mayDo('accounts:read') ? { limit: namesMax } : null);
  return new Map(value?.map(({ uid, name }) => [uid, name]));
}

const dayMs = 86_400_000;
const days = 30;
const rowsMax = 200;

/** The withdrawals of the last days, newest first. */
function usePast() {
  const [round, setRound] = useState(0);
  const [state, setState] = useState<{ value: readonly Past[] | null; fault: string | null }>({
    value: null,
    fault: null,
  });
  useEffect(() => {
    let isCurrent = true;
    // Where the clock of a sandbox is ahead of this machine's, these are so many more.
    readOfficeText('exportWithdrawals', { from: Math.max(0, Date.now() - days * dayMs) }).then(
      (text) => {
        const lines = text.split('\n').filter((line) => line !== '');
        const all = lines.map((line) => JSON.parse(line) as Past);
        if (isCurrent) setState({ value: all.toSorted((one, other) => other.at - one.at), fault: null });
      },
      (error: Error) => {
        if (isCurrent) setState({ value: null, fault: error.message });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [round]);
  return { ...state, tag: null, reload: () => setRound((count) => count + 1) };
}

interface PastProps {
  readonly status: WithdrawalStatus | '';
  readonly names: ReadonlyMap<number, string>;
}

function PastTable({ status, names }: PastProps) {
  const past = usePast();
  return (
    <ReadingView reading={past}>
      {(all) => {
        const rows = all.filter((each) => status === '' || each.status === status);
        return (
          <>
            <p class="soft">
              The last {days} days{rows.length > rowsMax ? `, the newest ${rowsMax} of ${rows.length}` : ''}. What is
              older is in the export of withdrawals.
            </p>
            <Table
              label="Withdrawals of all days"
              rows={rows.slice(0, rowsMax)}
              keyOf={({ withdrawal }) => String(withdrawal)}
              empty="Nothing of that was withdrawn."
              columns={[
                { title: 'Number', cell: ({ withdrawal }) => withdrawal },
                { title: 'Asked for', cell: ({ at }) => <TimeText at={at} /> },
                { title: 'Account', cell: ({ uid }) => <AccountLink uid={uid} name={names.get(uid ?? 0)} /> },
                { title: 'Amount', cell: ({ amount }) => <NumberText value={amount} />, isRight: true },
                { title: 'Coin', cell: ({ asset, network }) => `${asset} · ${network}` },
                { title: 'To', cell: ({ address }) => <ShortText text={address} /> },
                { title: 'State', cell: (each) => each.status },
                { title: 'Transaction', cell: ({ txId }) => (txId === null ? '–' : <ShortText text={txId} />) },
              ]}
            />
          </>
        );
      }}
    </ReadingView>
  );
}

/** Withdrawals of all accounts and the last days, of one state or all. DEC-WEB-45. */
export const PastWithdrawals = (props: PastProps) =>
  mayDo('ledger:read') ? <PastTable {...props} /> : <Empty text="It needs the scope ledger:read." />;
