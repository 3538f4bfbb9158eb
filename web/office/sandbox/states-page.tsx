import { useState } from 'preact/hooks';
import { Button } from '#web/design/button.tsx';
import { Field } from '#web/design/field.tsx';
import { Empty } from '#web/design/states.tsx';
import { Table } from '#web/design/table.tsx';
import { TimeText } from '#web/design/values.tsx';
import type { Answer } from '#web/office/data/office-calls.ts';
import { useCall } from '#web/office/data/use-office.ts';
import { OfficePage, Part } from '#web/office/parts/office-page.tsx';
import { ReadingView } from '#web/office/parts/reading-view.tsx';
import { useOperation } from '#web/office/parts/use-operation.ts';
import { ControlButton } from '#web/office/sandbox/control-button.tsx';
import { RestoreDialog } from '#web/office/sandbox/restore-dialog.tsx';
import { useControl } from '#web/office/sandbox/use-control.ts';
import '#web/office/sandbox/sandbox.css';

type State = Answer<'states'>['states'][number];
type Fork = Answer<'forks'>['forks'][number];

/** The state of the first start, which stays. */
const firstState = 'start';
const kibibyte = 1024;
const sizeText = (bytes: number): string =>
  bytes < kibibyte * kibibyte
    ? `${Math.ceil(bytes / kibibyte)} KiB`
    : `${(bytes / kibibyte / kibibyte).toFixed(1)} MiB`;

const stateColumns = [
  { title: 'State', cell: ({ name }: State) => name },
  { title: 'Saved', cell: ({ savedAt }: State) => <TimeText at={savedAt} /> },
  { title: "Exchange's time", cell: ({ exchangeTime }: State) => <TimeText at={exchangeTime} /> },
  { title: 'Last entry', cell: ({ lastEntry }: State) => <span class="number">{lastEntry}</span>, isRight: true },
  { title: 'Size', cell: ({ bytes }: State) => <span class="number">{sizeText(bytes)}</span>, isRight: true },
];

const UrlLink = ({ url }: { readonly url: string }) =>
  /^https?:/.test(url) ? (
    <a href={url} target="_blank" rel="noreferrer">
      {url}
    </a>
  ) : (
    url
  );

const forkColumns = [
  { title: 'Fork', cell: ({ id }: Fork) => id },
  { title: 'Of', cell: ({ state }: Fork) => state },
  { title: 'Public API', cell: ({ baseUrl }: Fork) => <UrlLink url={baseUrl} /> },
  { title: 'Streams', cell: ({ wsUrl }: Fork) => wsUrl },
  { title: 'Operators', cell: ({ operatorUrl }: Fork) => <UrlLink url={operatorUrl} /> },
];

function SaveForm({ onSaved }: { readonly onSaved: () => void }) {
  const control = useControl(['name']);
  const [name, setName] = useState('');
  const save = async (): Promise<void> => {
    if ((await control.run('saveState', { name: name.trim() }, `${name.trim()} was saved.`)) === null) return;
    setName('');
    onSaved();
  };
  return (
    <form
      class="control-line"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field
        label="Name"
        value={name}
        onInput={setName}
        placeholder="before-the-crash"
        fault={control.faults['name'] ?? control.faults['']}
      />
      <Button type="submit" kind="primary" disabled={control.isBusy || name.trim() === ''}>
        Save
      </Button>
    </form>
  );
}

interface RowActsProps {
  readonly name: string;
  readonly onChange: () => void;
  readonly onForked: () => void;
  readonly onRestore: () => void;
}

const RowActs = ({ name, onChange, onForked, onRestore }: RowActsProps) => (
  <div class="office-acts">
    <Button isSmall aria-label={`Restore ${name}`} onClick={onRestore}>
      Restore
    </Button>
    <ControlButton
      id="forkState"
      members={{ name }}
      label={`Fork ${name}`}
      done={`A second exchange runs from ${name}.`}
      onDone={onForked}
    >
      Fork
    </ControlButton>
    {name === firstState ? null : (
      <ControlButton
        id="deleteState"
        members={{ name }}
        label={`Delete ${name}`}
        done={`${name} was deleted.`}
        onDone={onChange}
      >
        Delete
      </ControlButton>
    )}
  </div>
);

function States() {
  const states = useCall('states', {});
  const forks = useCall('forks', {});
  /** What is gone back to; an empty name is the first start, `null`: nothing. */
  const [back, setBack] = useState<string | null>(null);
  const reload = (): void => {
    states.reload();
    forks.reload();
  };
  const acts = {
    title: '',
    cell: ({ name }: State) => (
      <RowActs name={name} onChange={states.reload} onForked={forks.reload} onRestore={() => setBack(name)} />
    ),
  };
  const ends = {
    title: '',
    cell: ({ id }: Fork) => (
      <ControlButton id="deleteFork" members={{ id }} label={`End ${id}`} done={`${id} has ended.`} onDone={reload}>
        End
      </ControlButton>
    ),
  };
  return (
    <>
      <Part title="Save what the exchange is now">
        <SaveForm onSaved={states.reload} />
      </Part>
      <Part
        title="States"
        acts={
          <Button isSmall onClick={() => setBack('')}>
            Back to the first start
          </Button>
        }
      >
        <ReadingView reading={states}>
          {({ states: rows }) => (
            <Table
              label="States"
              columns={[...stateColumns, acts]}
              rows={rows}
              keyOf={({ name }) => name}
              empty="Nothing was saved."
            />
          )}
        </ReadingView>
      </Part>
      <Part title="Forks">
        <p class="soft">A fork is a second exchange that begins from a state, with the same keys and token.</p>
        <ReadingView reading={forks}>
          {({ forks: rows }) => (
            <Table
              label="Forks"
              columns={[...forkColumns, ends]}
              rows={rows}
              keyOf={({ id }) => id}
              empty="No fork runs."
            />
          )}
        </ReadingView>
      </Part>
      {back === null ? null : <RestoreDialog name={back} onDone={reload} onClose={() => setBack(null)} />}
    </>
  );
}

function Content() {
  const operation = useOperation('states');
  return operation === undefined ? (
    <Empty text="This exchange keeps no states: nodes of a cluster do not." />
  ) : (
    <States />
  );
}

/** States of the whole sandbox: saved, restored, forked, deleted. DEC-WEB-63. */
export const Page = () => (
  <OfficePage title="States" scope="market:control">
    <Content />
  </OfficePage>
);
