import { Button } from '#web/design/button.tsx';
import { Refused, StateName } from '#web/design/facts.tsx';
import { Empty, Loading } from '#web/design/states.tsx';
import type { Column } from '#web/design/table.tsx';
import { NumberText } from '#web/design/values.tsx';
import type { Item } from '#web/office/data/office-calls.ts';
import { useList } from '#web/office/data/use-office.ts';
import { OfficePage, Part } from '#web/office/parts/office-page.tsx';
import { ListView } from '#web/office/parts/reading-view.tsx';
import { useOperation } from '#web/office/parts/use-operation.ts';
import { FaultForm } from '#web/office/sandbox/fault-form.tsx';
import { faultKind } from '#web/office/sandbox/fault-kinds.ts';
import { lastingText, matchText, membersText } from '#web/office/sandbox/fault-texts.ts';
import { useControl } from '#web/office/sandbox/use-control.ts';
import '#web/office/sandbox/sandbox.css';
import '#web/office/sandbox/tools.css';

type Rule = Item<'listFaults'>;

const everyMs = 1000;

const columns: readonly Column<Rule>[] = [
  { title: 'Rule', cell: ({ id }) => id },
  {
    title: 'What happens',
    cell: (rule) => (
      <>
        {faultKind(rule.fault.kind).title} <small class="soft">{membersText(rule)}</small>
      </>
    ),
    style: 'office-wide',
  },
  { title: 'To what', cell: matchText, style: 'office-wide' },
  { title: 'Matched', cell: ({ seen }) => <NumberText value={String(seen)} />, isRight: true },
  { title: 'Struck', cell: ({ hits }) => <NumberText value={String(hits)} />, isRight: true },
  { title: 'Holds', cell: lastingText },
  {
    title: 'State',
    cell: ({ isOver }) => <StateName text={isOver ? 'over' : 'in force'} standing={isOver ? '' : 'open'} />,
  },
];

function Faults() {
  const rules = useList('listFaults', {}, everyMs);
  const control = useControl();
  const operation = useOperation('addFault');
  const remove = async (id: string): Promise<void> => {
    await control.run('removeFault', { id }, `${id} was removed.`);
    rules.reload();
  };
  const clear = async (): Promise<void> => {
    await control.run('clearFaults', {}, 'All rules were removed.');
    rules.reload();
  };
  const acts: Column<Rule> = {
    title: '',
    cell: ({ id }) => (
      <Button isSmall aria-label={`Remove ${id}`} disabled={control.isBusy} onClick={() => void remove(id)}>
        Remove
      </Button>
    ),
  };
  return (
    <>
      <Part
        title="Rules"
        acts={
          <Button isSmall disabled={control.isBusy || (rules.value ?? []).length === 0} onClick={() => void clear()}>
            Remove all
          </Button>
        }
      >
        <Refused text={control.faults[''] ?? null} />
        <ListView
          list={rules}
          label="Rules"
          columns={[...columns, acts]}
          keyOf={({ id }) => id}
          empty="No fault is in force: everything is answered as it should be."
        />
      </Part>
      <Part title="Add a rule">
        {operation === null ? (
          <Loading />
        ) : operation === undefined ? (
          <Empty text="This exchange has no faults to offer." />
        ) : (
          <FaultForm body={operation.body} onDone={rules.reload} />
        )}
      </Part>
    </>
  );
}

/** Faults on demand: the rules with what they struck, and a form for more. DEC-WEB-67. */
export const Page = () => (
  <OfficePage title="Faults" scope="market:control">
    <Faults />
  </OfficePage>
);
