import { useEffect, useRef } from 'preact/hooks';
import { Button } from '#web/design/button.tsx';
import { NumberText, TimeText } from '#web/design/values.tsx';
import type { Item } from '#web/office/data/office-calls.ts';
import { useCall, useList } from '#web/office/data/use-office.ts';
import { mayDo } from '#web/office/operator-session.ts';
import { ActButton } from '#web/office/parts/act-button.tsx';
import { AccountLink, LongText } from '#web/office/parts/links.tsx';
import { RecordView } from '#web/office/parts/member-value.tsx';
import { Part } from '#web/office/parts/office-page.tsx';
import { ListView, ReadingView } from '#web/office/parts/reading-view.tsx';

type Withdrawal = Item<'listWithdrawals'>;

interface DetailProps {
  readonly withdrawal: Withdrawal;
  /** Above which worth two operators have to approve; `null`: never. */
  readonly fourEyesAbove: string | null;
  readonly onChange: () => void;
  readonly onClose: () => void;
}

const decidable: readonly string[] = ['auditing', 'manual'];

/** What a decision is about, so that it is seen once more before it is made. */
const summaryOf = ({ withdrawal, uid, amount, fee, asset, network, address, memo, value }: Withdrawal) => ({
  withdrawal,
  ...(uid === null ? {} : { uid }),
  amount: `${amount} ${asset}`,
  fee,
  network,
  address,
  ...(memo === null ? {} : { memo }),
  ...(value === null ? {} : { value }),
});

function Decisions({ withdrawal, onChange }: Pick<DetailProps, 'withdrawal' | 'onChange'>) {
  const about = <RecordView record={summaryOf(withdrawal)} />;
  const act = {
    id: 'reviewWithdrawal',
    members: ['remark'],
    about,
    onDone: onChange,
    isSmall: false,
  } as const;
  const of = { withdrawal: withdrawal.withdrawal };
  const title = `withdrawal ${withdrawal.withdrawal}`;
  if (withdrawal.status === 'processing')
    return <ActButton id="recordPayment" title="Record a payment" fixed={of} about={about} onDone={onChange} />;
  if (!decidable.includes(withdrawal.status)) return null;
  return (
    <div class="office-acts">
      <ActButton
        {...act}
        kind="buy"
        label="Approve"
        title={`Approve ${title}`}
        fixed={{ ...of, decision: 'approve' }}
      />
      {withdrawal.status === 'manual' ? (
        <ActButton
          {...act}
          kind="sell"
          label="Reject"
          title={`Reject ${title}`}
          fixed={{ ...of, decision: 'reject' }}
        />
      ) : (
        // What is still audited is rejected once it is kept.
        <ActButton {...act} label="Keep" title={`Keep ${title}`} fixed={{ ...of, decision: 'manual' }} />
      )}
    </div>
  );
}

function Owner({ uid }: { readonly uid: number }) {
  const account = useCall('getAccount', { uid });
  return (
    <ReadingView reading={account}>
      {(value) => (
        <RecordView
          record={value}
          members={['uid', 'name', 'status', 'class', 'kycLevel', 'email', 'mobile', 'openedAt', 'allowListEnabled']}
        />
      )}
    </ReadingView>
  );
}

function PastWithdrawals({ uid }: { readonly uid: number }) {
  const list = useList('listWithdrawalsOfAccount', { uid, limit: 10 });
  return (
    <ListView
      list={list}
      label="Withdrawals of the account"
      keyOf={({ withdrawal }) => String(withdrawal)}
      empty="It never withdrew anything."
      columns={[
        { title: 'When', cell: ({ requestedAt }) => <TimeText at={requestedAt} /> },
        { title: 'Amount', cell: ({ amount }) => <NumberText value={amount} />, isRight: true },
        { title: 'Coin', cell: ({ asset, network }) => `${asset} · ${network}` },
        { title: 'To', cell: ({ address }) => <LongText text={address} /> },
        { title: 'State', cell: ({ status }) => status },
      ]}
    />
  );
}

function PastDeposits({ uid }: { readonly uid: number }) {
  const list = useList('listDepositsOfAccount', { uid, limit: 10 });
  return (
    <ListView
      list={list}
      label="Deposits of the account"
      keyOf={({ deposit }) => String(deposit)}
      empty="Nothing was ever paid to it."
      columns={[
        { title: 'When', cell: ({ insertedAt }) => <TimeText at={insertedAt} /> },
        { title: 'Amount', cell: ({ amount }) => <NumberText value={amount} />, isRight: true },
        { title: 'Coin', cell: ({ asset, network }) => `${asset} · ${network}` },
        { title: 'State', cell: ({ status }) => status },
      ]}
    />
  );
}

/** A withdrawal with who approved it, what it waits for, and the history of its account beside it. */
export function WithdrawalDetail({ withdrawal, fourEyesAbove, onChange, onClose }: DetailProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Where it stands below the queue it is not seen else.
    if (matchMedia('(max-width: 1100px)').matches) place.current?.scrollIntoView();
  }, []);
  const { uid, approvals, value } = withdrawal;
  const needsTwo = fourEyesAbove !== null && (value === null || Number(value) > Number(fourEyesAbove));
  return (
    <div ref={place} class="office-aside">
      <Part
        title={`Withdrawal ${withdrawal.withdrawal}`}
        acts={
          <Button isSmall kind="quiet" onClick={onClose}>
            Close
          </Button>
        }
      >
        <Decisions withdrawal={withdrawal} onChange={onChange} />
        {needsTwo ? (
          <p class="office-note">
            Two operators have to approve it:{' '}
            {approvals.length === 0 ? 'nobody did yet' : `${approvals.join(', ')} did`}.
          </p>
        ) : null}
        <RecordView record={withdrawal} without={['withdrawal', 'uid']} />
      </Part>
      {uid === null ? null : (
        <Part title="Its account" scope="accounts:read" acts={<AccountLink uid={uid} />}>
          <Owner uid={uid} />
        </Part>
      )}
      {uid === null ? null : (
        <Part title="Withdrawals of the account">
          <PastWithdrawals uid={uid} />
        </Part>
      )}
      {uid === null || !mayDo('deposits:read') ? null : (
        <Part title="Deposits of the account">
          <PastDeposits uid={uid} />
        </Part>
      )}
    </div>
  );
}
