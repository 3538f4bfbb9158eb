import { LongField } from '#web/design/long-field.tsx';
import { TimeText } from '#web/design/values.tsx';
import type { Item } from '#web/office/data/office-calls.ts';
import { ActButton } from '#web/office/parts/act-button.tsx';
import { EditButton } from '#web/office/parts/edit-button.tsx';
import { LongText } from '#web/office/parts/links.tsx';
import { ListPart } from '#web/office/parts/list-part.tsx';
import { OfficePage } from '#web/office/parts/office-page.tsx';
import { ageText } from '#web/office/withdrawals/withdrawal-order.ts';

type Webhook = Item<'listWebhooks'>;

/** How deliveries go. */
function Deliveries({ active, lastSuccessAt, lastFailureAt, lastFailure, failingSince, givenUpAt }: Webhook) {
  if (givenUpAt !== null)
    return (
      <span class="down">
        Switched off <TimeText at={givenUpAt} />: it failed for too long.
      </span>
    );
  if (!active) return <span class="soft">Switched off.</span>;
  if (failingSince !== null)
    return (
      <span class="down">
        Fails for {ageText(failingSince, Date.now())}: {lastFailure ?? 'it is not known why'}.
      </span>
    );
  if (lastSuccessAt === null) return <span class="soft">Nothing was sent yet.</span>;
  return (
    <>
      Taken <TimeText at={lastSuccessAt} />
      {lastFailureAt === null ? null : (
        <span class="soft">
          , failed <TimeText at={lastFailureAt} />
        </span>
      )}
    </>
  );
}

const Acts = ({ webhook: { id, url }, reload }: { readonly webhook: Webhook; readonly reload: () => void }) => (
  <>
    <ActButton
      id="testWebhook"
      label="Test"
      title={`Send a test to ${url}`}
      fixed={{ id }}
      onDone={reload}
      show={({ delivered, failure }) => (
        <p class={delivered ? 'up' : 'down'}>{delivered ? 'It was taken.' : `It was not taken: ${failure}.`}</p>
      )}
    />
    <EditButton
      label="Edit"
      id="changeWebhook"
      title={`Change the webhook ${url}`}
      shows="getWebhook"
      of={{ id }}
      onDone={reload}
    />
    <ActButton id="deleteWebhook" label="Remove" title={`Remove the webhook ${url}`} fixed={{ id }} onDone={reload} />
  </>
);

/** Where the exchange tells of events, and how that goes. DEC-WEB-57. */
export const Page = () => (
  <OfficePage title="Webhooks" scope="webhooks:read">
    <ListPart
      title="Webhooks"
      id="listWebhooks"
      members={{ limit: 100 }}
      everyMs={5000}
      keyOf={({ id }) => id}
      empty="Nobody is told of events."
      columns={[
        { title: 'Url', cell: ({ url }) => <LongText text={url} />, style: 'office-wide' },
        { title: 'Is told of', cell: ({ kinds }) => kinds.join(', '), style: 'office-wide' },
        { title: 'Deliveries', cell: (webhook) => <Deliveries {...webhook} />, style: 'office-wide' },
        { title: 'Told up to', cell: ({ position }) => <TimeText at={position.at} /> },
      ]}
      acts={(reload) => (
        <ActButton
          id="createWebhook"
          title="Add a webhook"
          onDone={reload}
          show={({ url, secret }) => (
            <>
              <p>What is sent to {url} is signed with this secret. It is shown now and never again.</p>
              <LongField label="Secret" value={secret} onInput={() => {}} />
            </>
          )}
        />
      )}
      rowActs={(webhook, reload) => <Acts webhook={webhook} reload={reload} />}
    />
  </OfficePage>
);
