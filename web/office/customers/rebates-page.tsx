import { useState } from 'preact/hooks';
import { Button } from '#web/design/button.tsx';
import { Field } from '#web/design/field.tsx';
import { useCall } from '#web/office/data/use-office.ts';
import { ActButton } from '#web/office/parts/act-button.tsx';
import { EditButton } from '#web/office/parts/edit-button.tsx';
import { AccountLink } from '#web/office/parts/links.tsx';
import { ListPart } from '#web/office/parts/list-part.tsx';
import { RecordView } from '#web/office/parts/member-value.tsx';
import { OfficePage, Part } from '#web/office/parts/office-page.tsx';
import { ReadingView } from '#web/office/parts/reading-view.tsx';

const products = ['spot', 'futures'] as const;

function Settlement() {
  const settlement = useCall('getRebateSettlement', {}, 10_000);
  return <ReadingView reading={settlement}>{(value) => <RecordView record={value} />}</ReadingView>;
}

function Rates({ uid, product }: { readonly uid: number; readonly product: (typeof products)[number] }) {
  const rates = useCall('getRebateRates', { uid, product });
  return (
    <>
      <div class="office-acts">
        <EditButton
          id="setRebateRates"
          shows="getRebateRates"
          of={{ uid, product }}
          label="Edit"
          title={`Rebate rates of ${uid} for ${product}`}
          onDone={rates.reload}
        />
      </div>
      <ReadingView reading={rates}>{(value) => <RecordView record={value} without={['uid', 'product']} />}</ReadingView>
    </>
  );
}

const Inviter = ({ uid }: { readonly uid: number }) => (
  <>
    <div class="office-cards">
      {products.map((product) => (
        <Part key={product} title={`Rates for ${product}`}>
          <Rates uid={uid} product={product} />
        </Part>
      ))}
    </div>
    <ListPart
      title="Pending rebates"
      id="listPendingRebates"
      members={{ uid, limit: 25 }}
      keyOf={({ day, sourceUid, asset }) => `${day} ${sourceUid} ${asset}`}
      empty="Nothing is pending."
      columns={['day', 'sourceUid', 'asset', 'amount']}
      acts={(reload) => (
        <ActButton
          id="rejectRebates"
          label="Reject"
          title={`Reject rebates of ${uid}`}
          fixed={{ uid }}
          onDone={reload}
        />
      )}
    />
    <ListPart
      title="Paid rebates"
      id="listRebatePayouts"
      members={{ uid, limit: 25 }}
      keyOf={({ seq, day, asset }) => `${seq} ${day} ${asset}`}
      empty="Nothing was paid."
      columns={['at', 'day', 'asset', 'amount']}
    />
    <ListPart
      title="Rejected rebates"
      id="listRebateRejections"
      members={{ uid, limit: 25 }}
      keyOf={({ seq }) => String(seq)}
      empty="Nothing was rejected."
      columns={['at', 'day', 'sourceUid']}
    />
    <ListPart
      title="Invited accounts"
      id="listInvitees"
      members={{ uid, limit: 25 }}
      keyOf={(invitee) => String(invitee.uid)}
      empty="It invited nobody."
      columns={[
        { title: 'Account', cell: (invitee) => <AccountLink uid={invitee.uid} /> },
        ...(['code', 'invitedAt', 'firstDepositAt', 'firstTradeAt', 'lastTradeAt'] as const),
      ]}
    />
    <ListPart
      title="Invite codes"
      id="listInviteCodes"
      members={{ uid, limit: 25 }}
      keyOf={({ code }) => code}
      empty="It has its refer code only."
      columns={['code', 'campaign', 'createdAt']}
      acts={(reload) => (
        <ActButton
          id="createInviteCode"
          label="Make a code"
          title={`Make an invite code of ${uid}`}
          fixed={{ uid }}
          onDone={reload}
        />
      )}
    />
  </>
);

function Inviters() {
  const [words, setWords] = useState('');
  const [uid, setUid] = useState<number | null>(null);
  return (
    <>
      <Part title="Inviter">
        <form
          class="office-filters"
          onSubmit={(event) => {
            event.preventDefault();
            setUid(/^\d{1,9}$/.test(words.trim()) ? Number(words.trim()) : null);
          }}
        >
          <Field label="Uid" value={words} onInput={setWords} inputMode="decimal" />
          <Button kind="primary" type="submit">
            Show
          </Button>
        </form>
      </Part>
      {uid === null ? null : <Inviter key={uid} uid={uid} />}
    </>
  );
}

/** Who invited whom, and what inviters earn. */
export const Page = () => (
  <OfficePage title="Rebates" scope="rebates:read">
    <Part title="Settlement">
      <Settlement />
    </Part>
    <Inviters />
  </OfficePage>
);
