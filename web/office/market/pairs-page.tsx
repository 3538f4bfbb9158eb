import { ActButton } from '#web/office/parts/act-button.tsx';
import { EditButton } from '#web/office/parts/edit-button.tsx';
import { ListPart } from '#web/office/parts/list-part.tsx';
import { OfficePage } from '#web/office/parts/office-page.tsx';

/** What is traded, by which rules, and whether it is open. DEC-WEB-43. */
export const Page = () => (
  <OfficePage title="Pairs" scope="pairs:read">
    <ListPart
      title="Pairs"
      id="listPairs"
      members={{ limit: 100 }}
      keyOf={({ pair }) => pair}
      empty="No pair is listed."
      columns={[
        'pair',
        { title: 'Name', cell: ({ fullName }) => fullName, style: 'office-wide' },
        {
          title: 'State',
          cell: ({ status }) => <span class={status === 'online' ? 'up' : 'down'}>{status}</span>,
        },
        ...(['makerFeePpm', 'takerFeePpm', 'minAmount', 'maxAmount', 'openAt'] as const),
      ]}
      acts={(reload) => <ActButton id="putPair" title="List a pair" onDone={reload} />}
      rowActs={({ pair, status }, reload) => (
        <>
          <EditButton
            id="changePair"
            shows="getPair"
            of={{ pair }}
            label="Edit"
            title={`Edit pair ${pair}`}
            onDone={reload}
          />
          {status === 'offline' ? (
            <ActButton
              id="delistPair"
              label="Delist"
              kind="sell"
              title={`Delist pair ${pair}`}
              fixed={{ pair }}
              onDone={reload}
            />
          ) : null}
        </>
      )}
    />
  </OfficePage>
);
