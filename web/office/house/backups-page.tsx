import { Empty } from '#web/design/states.tsx';
import { type Column, Table } from '#web/design/table.tsx';
import { NumberText, TimeText } from '#web/design/values.tsx';
import type { Answer } from '#web/office/data/office-calls.ts';
import { useCall } from '#web/office/data/use-office.ts';
import { ActButton } from '#web/office/parts/act-button.tsx';
import { OfficePage, Part } from '#web/office/parts/office-page.tsx';
import { ReadingView } from '#web/office/parts/reading-view.tsx';
import { ageText } from '#web/office/withdrawals/withdrawal-order.ts';

type Backups = Answer<'listBackups'>;
type Made = Backups['items'][number];

const everyMs = 1000;
const megabyte = 1_000_000;

const columns: readonly Column<Made>[] = [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'Made', cell: ({ madeAt }) => <TimeText at={madeAt} /> },
  { title: 'Age', cell: ({ madeAt }) => ageText(madeAt, Date.now()) },
  { title: 'Last entry', isRight: true, cell: ({ lastEntry }) => <NumberText value={`${lastEntry}`} /> },
  { title: 'MB', isRight: true, cell: ({ bytes }) => <NumberText value={(bytes / megabyte).toFixed(1)} /> },
  { title: 'History', cell: ({ holdsHistory }) => (holdsHistory ? 'is in it' : 'left out') },
  { title: 'Made by', cell: ({ madeBy }) => madeBy },
];

/** The backup that is being made, or what became of the last one. */
function RunState({ run }: { readonly run: Backups['run'] }) {
  if (run === null) return <p class="soft">This process has made none since it started.</p>;
  const { name, state, step, startedAt, endedAt } = run;
  if (state === 'running')
    return (
      <div role="status" class="backup-run">
        <p>
          {name}: {step}
        </p>
        <progress aria-label={`Backup ${name}`} />
      </div>
    );
  const seconds = Math.max(0, ((endedAt ?? startedAt) - startedAt) / 1000).toFixed(1);
  return state === 'done' ? (
    <p class="up">
      {name} was made in {seconds} s.
    </p>
  ) : (
    <p class="down">
      {name} could not be made: {step}
    </p>
  );
}

const NotConfigured = () => (
  <Empty text="The exchange knows no directory for backups.">
    <p class="soft">
      Start it with <code>--backup-directory DIRECTORY</code>, outside of its data, best on another disk. Until then the
      command <code>bourse backup DATA FOLDER</code> makes the same on its machine.
    </p>
  </Empty>
);

function Shown({ isConfigured, isReadable, run, items, reload }: Backups & { readonly reload: () => void }) {
  if (!isConfigured) return <NotConfigured />;
  const [newest] = items;
  const age = !isReadable
    ? 'The directory of backups cannot be read.'
    : newest === undefined
      ? 'There is no backup yet.'
      : `The newest is ${ageText(newest.madeAt, Date.now())} old.`;
  const button =
    run?.state === 'running' ? null : <ActButton id="makeBackup" title="Back up now" kind="primary" onDone={reload} />;
  return (
    <>
      <Part title="Now" acts={button}>
        <p>{age}</p>
        <RunState run={run} />
      </Part>
      <Part title="Backups">
        <Table label="Backups" columns={columns} rows={items} keyOf={({ name }) => name} empty="There is none yet." />
        <p class="soft">
          They hold journal, snapshot, history and settings, and not the master key: keep that apart. Copy them to
          another machine, and remove old ones there and here by yourself.
        </p>
      </Part>
    </>
  );
}

function Content() {
  const backups = useCall('listBackups', {}, everyMs);
  return <ReadingView reading={backups}>{(value) => <Shown {...value} reload={backups.reload} />}</ReadingView>;
}

/** Backups of the running exchange: their age, and one more at the press of a button. DEC-WEB-55. */
export const Page = () => (
  <OfficePage title="Backups" scope="backups:read">
    <Content />
  </OfficePage>
);
