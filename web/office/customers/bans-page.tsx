import { ActButton } from '#web/office/parts/act-button.tsx';
import { ListPart } from '#web/office/parts/list-part.tsx';
import { OfficePage } from '#web/office/parts/office-page.tsx';

/** Who may not call. */
export const Page = () => (
  <OfficePage title="Bans" scope="bans:read">
    <ListPart
      title="Bans"
      id="listBans"
      members={{ limit: 100 }}
      everyMs={10_000}
      keyOf={({ kind, target }) => `${kind} ${target}`}
      empty="Nobody is banned."
      columns={[
        ...(['kind', 'target', 'until', 'since', 'automatic', 'times'] as const),
        { title: 'Why', cell: ({ reason }) => reason ?? '–', style: 'office-wide' },
        'actor',
      ]}
      acts={(reload) => <ActButton id="putBan" title="Ban" kind="sell" onDone={reload} />}
      rowActs={({ kind, target }, reload) => (
        <ActButton
          id="liftBan"
          label="Lift"
          title={`Lift the ban of ${target}`}
          fixed={{ kind, target }}
          onDone={reload}
        />
      )}
    />
  </OfficePage>
);
