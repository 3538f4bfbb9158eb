import { useState } from 'preact/hooks';
import { type Tab, Tabs } from '#web/design/tabs.tsx';
import type { Item } from '#web/office/data/office-calls.ts';
import { useList } from '#web/office/data/use-office.ts';
import { waitsForOperator } from '#web/office/money/deposit-states.ts';
import { ActButton } from '#web/office/parts/act-button.tsx';
import { AccountLink, LongText } from '#web/office/parts/links.tsx';
import { memberColumns } from '#web/office/parts/member-columns.tsx';
import { RecordView } from '#web/office/parts/member-value.tsx';
import { OfficePage, Part } from '#web/office/parts/office-page.tsx';
import { ListView } from '#web/office/parts/reading-view.tsx';

type Deposit = Item<'listDeposits'>;
type View = 'waiting' | 'all';

const everyMs = 5000;
const views: readonly Tab<View>[] = [
  { id: 'waiting', title: 'Wait for a decision' },
  { id: 'all', title: 'All of the last days' },
];

interface DepositActsProps {
  readonly deposit: Deposit;
  readonly onDone: () => void;
}

function DepositActs({ deposit, onDone }: DepositActsProps) {
  const { deposit: number, status, uid, asset, network, amount, txId } = deposit;
  const about = <RecordView record={{ deposit: number, uid, asset, network, amount, txId, status }} />;
  const fixed = { deposit: number };
  if (status === 'refunding')
    return (
      <ActButton id="cancelRefund" title={`Cancel the refund of deposit ${number}`} {...{ fixed, about, onDone }} />
    );
  if (status === 'refund')
    return (
      <>
        <ActButton
          id="payBackDeposit"
          label="Pay back"
          title={`Pay deposit ${number} back`}
          {...{ fixed, about, onDone }}
        />
        <ActButton
          id="reviewDeposit"
          label="Paid back"
          title={`Deposit ${number} was paid back`}
          members={[]}
          {...{ about, onDone }}
          fixed={{ ...fixed, decision: 'paidBack' }}
        />
      </>
    );
  if (!waitsForOperator(status)) return null;
  const decisions = [
    { decision: 'credit', label: 'Credit', kind: 'buy' },
    { decision: 'refund', label: 'Refund', kind: 'plain' },
    { decision: 'reject', label: 'Reject', kind: 'sell' },
  ] as const;
  return (
    <>
      {decisions.map(({ decision, label, kind }) => (
        <ActButton
          key={decision}
          id="reviewDeposit"
          label={label}
          kind={kind}
          title={`${label} deposit ${number}`}
          members={uid === null && decision === 'credit' ? ['uid'] : []}
          {...{ about, onDone }}
          fixed={{ ...fixed, decision }}
        />
      ))}
    </>
  );
}

function Queue() {
  const [view, setView] = useState<View>('waiting');
  const all = useList('listDeposits', { limit: 200 }, everyMs);
  const waiting = all.value?.filter(({ status }) => waitsForOperator(status));
  const list = view === 'all' ? all : { ...all, value: waiting ?? null };
  return (
    <Part title="Queue">
      <Tabs
        label="Deposits"
        tabs={views.map((tab) => (tab.id === 'waiting' ? { ...tab, count: waiting?.length } : tab))}
        chosen={view}
        onChoose={setView}
      />
      <ListView
        list={list}
        label="Deposits"
        keyOf={({ deposit }) => String(deposit)}
        empty={view === 'waiting' ? 'Nothing waits for a decision.' : 'Nothing was paid in within some days.'}
        columns={[
          ...memberColumns<Deposit>(['deposit', 'insertedAt']),
          { title: 'Account', cell: ({ uid }) => (uid === null ? 'nobody knows' : <AccountLink uid={uid} />) },
          ...memberColumns<Deposit>(['amount', 'asset', 'network', 'status']),
          {
            title: 'Confirmations',
            cell: ({ confirmations, minConfirm }) => `${confirmations} of ${minConfirm}`,
            isRight: true,
          },
          { title: 'Transaction', cell: ({ txId }) => <LongText text={txId} /> },
          ...memberColumns<Deposit>(['approvals']),
          {
            title: '',
            cell: (deposit) => (
              <div class="office-acts">
                <DepositActs deposit={deposit} onDone={all.reload} />
              </div>
            ),
          },
        ]}
      />
    </Part>
  );
}

/** Money on its way in, and what waits for a decision. DEC-WEB-45. */
export const Page = () => (
  <OfficePage
    title="Deposits"
    scope="deposits:read"
    acts={<ActButton id="reportDeposit" title="Report a deposit by hand" isSmall={false} />}
  >
    <Queue />
  </OfficePage>
);
