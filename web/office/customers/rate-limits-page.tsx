import { ActButton } from '#web/office/parts/act-button.tsx';
import { EditButton } from '#web/office/parts/edit-button.tsx';
import { ListPart } from '#web/office/parts/list-part.tsx';
import { OfficePage } from '#web/office/parts/office-page.tsx';

/** Who may call more, or less, than everybody. */
export const Page = () => (
  <OfficePage title="Rate limits" scope="limits:read">
    <ListPart
      title="Rate limits"
      id="listRateLimits"
      members={{ limit: 100 }}
      keyOf={({ kind, target }) => `${kind} ${target}`}
      empty="Everybody has the same limits."
      columns={[
        ...(['kind', 'target', 'weight', 'callsPerSecond', 'futuresCalls', 'until'] as const),
        { title: 'Why', cell: ({ reason }) => reason, style: 'office-wide' },
        'actor',
      ]}
      acts={(reload) => <ActButton id="putRateLimit" title="Set a rate limit" onDone={reload} />}
      rowActs={({ kind, target }, reload) => (
        <>
          <EditButton
            id="putRateLimit"
            shows="getRateLimit"
            of={{ kind, target }}
            label="Edit"
            title={`Rate limit of ${target}`}
            onDone={reload}
          />
          <ActButton
            id="liftRateLimit"
            label="Lift"
            title={`Lift the rate limit of ${target}`}
            fixed={{ kind, target }}
            onDone={reload}
          />
        </>
      )}
    />
  </OfficePage>
);
