import { useState } from 'preact/hooks';
import { Button } from '#web/design/button.tsx';
import type { Column } from '#web/design/table.tsx';
import { type Tab, Tabs } from '#web/design/tabs.tsx';
import { NumberText, TimeText } from '#web/design/values.tsx';
import type { Item } from '#web/office/data/office-calls.ts';
import { useCall, useList } from '#web/office/data/use-office.ts';
import { OfficePage, Part } from '#web/office/parts/office-page.tsx';
import { AccountLink, ShortText } from '#web/office/parts/links.tsx';
import { ListView } from '#web/office/parts/reading-view.tsx';
import { chosenWithdrawal } from '#web/office/withdrawals/chosen-withdrawal.ts';
import {
  PastWithdrawals,
  StatusField,
  useAccountNames,
  type WithdrawalStatus,
} from '#web/office/withdrawals/past-withdrawals.tsx';
import { WithdrawalDetail } from '#web/office/withdrawals/withdrawal-detail.tsx';
import { ageText, ordered, type QueueOrder } from '#web/office/withdrawals/withdrawal-order.ts';

type Withdrawal = Item<'listWithdrawals'>;
type View = 'waiting' | 'all' | 'past';

const everyMs = 5000;
const pageItems = 200;
const waiting: readonly string[] = ['auditing', 'manual'];
const views: readonly Tab<View>[] = [
  { id: 'waiting', title: 'Wait for a decision' },
  { id: 'all', title: 'All of today' },
  { id: 'past', title: 'All days' },
];

const columnsOf = (
  names: ReadonlyMap<number, string>,
  chosen: number | null,
  choose: (withdrawal: number) => void,
): readonly Column<Withdrawal>[] => [
  {
    title: 'Number',
    cell: ({ withdrawal }) => (
      <Button
        kind="link"
        isSmall
        aria-label={`Withdrawal ${withdrawal}`}
        aria-pressed={withdrawal === chosen}
        onClick={() => choose(withdrawal)}
      >
        {withdrawal}
      </Button>
    ),
  },
  { title: 'Age', cell: ({ requestedAt }) => ageText(requestedAt, Date.now()), isRight: true },
  { title: 'Account', cell: ({ uid }) => <AccountLink uid={uid} name={names.get(uid ?? 0)} /> },
  { title: 'Amount', cell: ({ amount }) => <NumberText value={amount} />, isRight: true },
  { title: 'Coin', cell: ({ asset, network }) => `${asset} · ${network}` },
  { title: 'Worth', cell: ({ value }) => <NumberText value={value} />, isRight: true },
  { title: 'To', cell: ({ address }) => <ShortText text={address} /> },
  { title: 'State', cell: ({ status, waitsFor }) => <span title={waitsFor ?? undefined}>{status}</span> },
  { title: 'Approved by', cell: ({ approvals }) => (approvals.length === 0 ? '–' : approvals.join(', ')) },
  { title: 'Asked for', cell: ({ requestedAt }) => <TimeText at={requestedAt} /> },
];

/** What of a withdrawal its detail tells, when it stands beside the list. */
const besides: readonly string[] = ['Approved by', 'Asked for', 'To'];

function Queue() {
  const [view, setView] = useState<View>('waiting');
  const [order, setOrder] = useState<QueueOrder>('age');
  const [status, setStatus] = useState<WithdrawalStatus | ''>('');
  const chosen = chosenWithdrawal.value;
  const setChosen = (withdrawal: number | null): void => {
    chosenWithdrawal.value = withdrawal;
  };
  const names = useAccountNames();
  const all = useList('listWithdrawals', { limit: pageItems }, everyMs);
  const rules = useCall('getWalletRules', {});
  const ofView = all.value?.filter((each) =>
    view === 'waiting' ? waiting.includes(each.status) : status === '' || each.status === status,
  );
  const list = { ...all, value: ofView === undefined ? null : ordered(ofView, order) };
  const unit = rules.value === null ? '' : ` in ${rules.value.valuedIn}`;
  const withdrawal = all.value?.find((each) => each.withdrawal === chosen) ?? null;
  const columns = columnsOf(names, chosen, setChosen)
    .filter(({ title }) => withdrawal === null || !besides.includes(title))
    .map((column) => (column.title === 'Worth' ? { ...column, title: `Worth${unit}` } : column));
  const count = all.value?.filter((each) => waiting.includes(each.status)).length;
  return (
    <div class={withdrawal === null ? undefined : 'office-beside'}>
      <Part
        title="Queue"
        acts={
          view === 'past' ? null : (
            <Button isSmall onClick={() => setOrder(order === 'age' ? 'worth' : 'age')}>
              {order === 'age' ? 'Oldest first' : 'Greatest first'}
            </Button>
          )
        }
      >
        <Tabs
          label="Withdrawals"
          tabs={views.map((tab) => (tab.id === 'waiting' ? { ...tab, count } : tab))}
          chosen={view}
          onChoose={setView}
        />
        {view === 'waiting' ? null : <StatusField value={status} onChoose={setStatus} />}
        {view === 'past' ? (
          <PastWithdrawals status={status} names={names} />
        ) : (
          <ListView
            list={list}
            label="Withdrawals"
            columns={columns}
            keyOf={({ withdrawal: number }) => String(number)}
            empty={view === 'waiting' ? 'Nothing waits for a decision.' : 'Nothing of that was withdrawn within a day.'}
          />
        )}
      </Part>
      {withdrawal === null ? null : (
        <WithdrawalDetail
          key={withdrawal.withdrawal}
          withdrawal={withdrawal}
          fourEyesAbove={rules.value?.fourEyesAbove ?? null}
          onChange={all.reload}
          onClose={() => setChosen(null)}
        />
      )}
    </div>
  );
}

/** Money on its way out: what waits for a decision, by age and worth, with the account beside it. DEC-WEB-45. */
export const Page = () => (
  <OfficePage title="Withdrawals" scope="withdrawals:read">
    <Queue />
  </OfficePage>
);
