import { useId, useState } from 'preact/hooks';
import { LongField } from '#web/design/long-field.tsx';
import { Table } from '#web/design/table.tsx';
import { TimeText } from '#web/design/values.tsx';
import type { Item } from '#web/office/data/office-calls.ts';
import { useCall } from '#web/office/data/use-office.ts';
import { Part } from '#web/office/parts/office-page.tsx';
import { ReadingView } from '#web/office/parts/reading-view.tsx';
import { ControlButton } from '#web/office/sandbox/control-button.tsx';
import { ControlForm } from '#web/office/sandbox/control-form.tsx';

type Replay = Item<'listReplays'>;

const everyMs = 1000;

const columns = [
  { title: 'Replay', cell: ({ id }: Replay) => id },
  { title: 'Market', cell: ({ market }: Replay) => market },
  { title: 'State', cell: ({ state }: Replay) => state },
  {
    title: 'Played',
    cell: ({ id, played, entries }: Replay) => (
      <span class="control-share">
        <progress aria-label={`Played of ${id}`} value={played} max={Math.max(1, entries)} />
        <span class="number">
          {played} of {entries}
        </span>
      </span>
    ),
  },
  { title: 'Factor', cell: ({ factor }: Replay) => `${factor} ×`, isRight: true },
  { title: 'Over at', cell: ({ endsAt }: Replay) => <TimeText at={endsAt} /> },
];

/** A file of the viewer's machine as text. */
function FileField({ onText }: { readonly onText: (text: string) => void }) {
  const id = useId();
  return (
    <div class="field">
      <div class="field-label">
        <label for={id}>File with trades or candles, CSV or NDJSON</label>
      </div>
      <input
        id={id}
        type="file"
        accept=".csv,.ndjson,.jsonl,.txt,text/csv"
        onChange={(event) => void event.currentTarget.files?.[0]?.text().then(onText)}
      />
    </div>
  );
}

/** Characters of a record that are shown to be changed by hand; longer ones only come from a file. */
const editedMost = 100_000;

/** Recorded trades or candles that the traders trade again. DEC-WEB-62. */
export function Replays({ markets }: { readonly markets: readonly string[] }) {
  const list = useCall('listReplays', {}, everyMs);
  const [record, setRecord] = useState('');
  return (
    <Part title="Replay of a recording">
      <FileField onText={setRecord} />
      {record.length > editedMost ? (
        <p class="soft">{record.length.toLocaleString('en-US')} characters of the file are sent.</p>
      ) : (
        <LongField label="Or its lines" value={record} onInput={setRecord} />
      )}
      <div class="control-wide">
        <ControlForm
          id="startReplay"
          act="Replay it"
          fixed={{ record }}
          choices={{ market: markets }}
          isReady={record !== ''}
          done={({ id, market }) => `${id} begins in ${market}.`}
          onDone={list.reload}
        />
      </div>
      <ReadingView reading={list}>
        {({ items }) => (
          <Table
            label="Replays"
            columns={[
              ...columns,
              {
                title: '',
                cell: ({ id }) => (
                  <ControlButton
                    id="endReplay"
                    members={{ id }}
                    label={`End ${id}`}
                    done={`${id} was ended.`}
                    onDone={list.reload}
                  >
                    End
                  </ControlButton>
                ),
              },
            ]}
            rows={items}
            keyOf={({ id }) => id}
            empty="Nothing is replayed."
          />
        )}
      </ReadingView>
    </Part>
  );
}
