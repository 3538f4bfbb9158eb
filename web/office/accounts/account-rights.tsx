import { LongField } from '#web/design/long-field.tsx';
import { useCall } from '#web/office/data/use-office.ts';
import { mayDo } from '#web/office/operator-session.ts';
import { ActButton } from '#web/office/parts/act-button.tsx';
import { ListPart } from '#web/office/parts/list-part.tsx';
import { RecordView } from '#web/office/parts/member-value.tsx';
import { Part } from '#web/office/parts/office-page.tsx';
import { ReadingView } from '#web/office/parts/reading-view.tsx';

interface OfAccount {
  readonly uid: number;
}

function FeeTier({ uid }: OfAccount) {
  const tier = useCall('getFeeTierOfAccount', { uid });
  return tier.value === null ? null : (
    <>
      <h3>Fee tier</h3>
      <RecordView record={tier.value} without={['uid']} />
    </>
  );
}

/** The fee tier of an account; it is asked for where the exchange has tiers, and whoever reads may see those. */
function FeeTierIfAny({ uid }: OfAccount) {
  const tiers = useCall('getFeeTiers', {});
  return tiers.value?.enabled === true ? <FeeTier uid={uid} /> : null;
}

function TradingRules({ uid }: OfAccount) {
  const rules = useCall('getTradingRules', { uid });
  return (
    <>
      <ReadingView reading={rules}>
        {(value) => (
          <>
            <div class="office-acts">
              <ActButton
                id="putTradingRules"
                title={`Trading rules of account ${uid}`}
                label="Change"
                fixed={{ uid }}
                current={value}
                tag={rules.tag}
                onDone={rules.reload}
              />
            </div>
            <RecordView record={value} />
          </>
        )}
      </ReadingView>
      {mayDo('pairs:read') ? <FeeTierIfAny uid={uid} /> : null}
    </>
  );
}

/** Commissions and bounds of an account, and who is below it. */
export const Rules = ({ uid }: OfAccount) => (
  <>
    <Part title="Trading rules">
      <TradingRules uid={uid} />
    </Part>
    <ListPart
      title="Sub-accounts"
      id="listSubAccounts"
      members={{ uid, limit: 25 }}
      keyOf={(account) => String(account.uid)}
      empty="It has no sub-account."
      columns={[
        { title: 'Uid', cell: (account) => <a href={`/accounts/${account.uid}`}>{account.uid}</a> },
        'name',
        'status',
        'subAccount',
        'openedAt',
      ]}
    />
  </>
);

/** What opens an account, and where its money comes from and may go. */
export const Keys = ({ uid }: OfAccount) => (
  <>
    <ListPart
      title="API keys"
      id="listApiKeys"
      members={{ uid, limit: 50 }}
      keyOf={({ accessKey }) => accessKey}
      empty="It has no API key."
      columns={['accessKey', 'note', 'permissions', 'ips', 'createdAt', 'endsAt']}
      acts={(reload) => (
        <ActButton
          id="createApiKey"
          title={`Create an API key of account ${uid}`}
          label="Create a key"
          fixed={{ uid }}
          onDone={reload}
          show={({ accessKey, secretKey }) => (
            <>
              <p>The secret is shown now and never again.</p>
              <LongField label="Access key" value={accessKey} onInput={() => {}} />
              <LongField label="Secret key" value={secretKey} onInput={() => {}} />
            </>
          )}
        />
      )}
      rowActs={({ accessKey }, reload) => (
        <ActButton
          id="deleteApiKey"
          title={`Delete API key ${accessKey}`}
          label="Delete"
          fixed={{ uid, accessKey }}
          onDone={reload}
        />
      )}
    />
    <ListPart
      title="Deposit addresses"
      id="listDepositAddresses"
      members={{ uid }}
      keyOf={({ network, index }) => `${network} ${index}`}
      empty="It has no deposit address."
      columns={['network', 'address', 'memo', 'index']}
    />
    <ListPart
      title="Saved addresses"
      id="listSavedAddresses"
      members={{ uid, limit: 50 }}
      keyOf={({ asset, network, address, memo }) => `${asset} ${network} ${address} ${memo}`}
      empty="No address is saved."
      columns={['asset', 'network', 'address', 'memo', 'tag', 'savedAt']}
      acts={(reload) => (
        <ActButton
          id="saveAddress"
          title={`Save an address of account ${uid}`}
          label="Save an address"
          fixed={{ uid }}
          onDone={reload}
        />
      )}
      rowActs={({ asset, network, address, memo }, reload) => (
        <ActButton
          id="removeSavedAddress"
          title={`Remove a saved address of account ${uid}`}
          label="Remove"
          fixed={{ uid, asset, network, address, ...(memo === null ? {} : { memo }) }}
          onDone={reload}
        />
      )}
    />
  </>
);

/** What colleagues wrote down about an account. */
export const Notes = ({ uid }: OfAccount) => (
  <ListPart
    title="Notes"
    id="listNotes"
    members={{ uid, limit: 50 }}
    keyOf={({ note }) => String(note)}
    empty="Nobody wrote a note."
    columns={['at', 'author', { title: 'Text', cell: ({ text }) => text, style: 'office-wide' }]}
    acts={(reload) => (
      <ActButton
        id="addNote"
        title={`Note about account ${uid}`}
        label="Write a note"
        fixed={{ uid }}
        onDone={reload}
      />
    )}
  />
);
