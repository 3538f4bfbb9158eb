import { useState } from 'preact/hooks';
import { type Tab, Tabs } from '#web/design/tabs.tsx';
import { AccountActs } from '#web/office/accounts/account-acts.tsx';
import { Activity } from '#web/office/accounts/account-activity.tsx';
import { Balances } from '#web/office/accounts/account-balances.tsx';
import { Keys, Notes, Rules } from '#web/office/accounts/account-rights.tsx';
import { useCall } from '#web/office/data/use-office.ts';
import { RecordView } from '#web/office/parts/member-value.tsx';
import { OfficePage, Part } from '#web/office/parts/office-page.tsx';
import { ReadingView } from '#web/office/parts/reading-view.tsx';
import type { PathParts } from '#web/shell/router.ts';

type View = 'account' | 'balances' | 'activity' | 'keys' | 'notes';

const views: readonly Tab<View>[] = [
  { id: 'account', title: 'Account' },
  { id: 'balances', title: 'Balances' },
  { id: 'activity', title: 'Orders and payments' },
  { id: 'keys', title: 'Keys and addresses' },
  { id: 'notes', title: 'Notes' },
];

function About({ uid }: { readonly uid: number }) {
  const account = useCall('getAccount', { uid });
  return (
    <Part title="Account">
      <ReadingView reading={account}>
        {(value) => (
          <>
            <AccountActs account={value} tag={account.tag} onDone={account.reload} />
            <RecordView record={value} />
          </>
        )}
      </ReadingView>
    </Part>
  );
}

function Everything({ uid }: { readonly uid: number }) {
  const [view, setView] = useState<View>('account');
  return (
    <>
      <Tabs label="Views of the account" tabs={views} chosen={view} onChoose={setView} />
      {view === 'account' ? (
        <>
          <About uid={uid} />
          <Rules uid={uid} />
        </>
      ) : null}
      {view === 'balances' ? <Balances uid={uid} /> : null}
      {view === 'activity' ? <Activity uid={uid} /> : null}
      {view === 'keys' ? <Keys uid={uid} /> : null}
      {view === 'notes' ? <Notes uid={uid} /> : null}
    </>
  );
}

/** Everything about one account. DEC-WEB-46. */
export const Page = ({ parts }: { readonly parts: PathParts }) => (
  <OfficePage title={`Account ${parts['uid']}`} scope="accounts:read">
    <Everything key={parts['uid']} uid={Number(parts['uid'])} />
  </OfficePage>
);
