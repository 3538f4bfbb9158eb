import { useEffect, useState } from 'preact/hooks';
import { Button } from '#web/design/button.tsx';
import { Refused, StateName } from '#web/design/facts.tsx';
import { ChoiceField, Field } from '#web/design/field.tsx';
import { say } from '#web/design/toasts.tsx';
import type { Column } from '#web/design/table.tsx';
import { TimeText } from '#web/design/values.tsx';
import { callOffice } from '#web/office/data/office-calls.ts';
import { useCall, useList } from '#web/office/data/use-office.ts';
import { OfficePage, Part } from '#web/office/parts/office-page.tsx';
import { ListView } from '#web/office/parts/reading-view.tsx';
import { saveFile } from '#web/data/save-file.ts';
import { AccountField, type People, usePeople } from '#web/office/sandbox/account-field.tsx';
import { RequestDetail } from '#web/office/sandbox/request-detail.tsx';
import {
  type FilterReading,
  type Logged,
  readFilter,
  type RequestFilter,
  type RequestView,
  searchOf,
  shownKinds,
  viewOf,
} from '#web/office/sandbox/request-filter.ts';
import { standingOf, statusText, whatText } from '#web/office/sandbox/request-texts.ts';
import { useControl } from '#web/office/sandbox/use-control.ts';
import { goTo } from '#web/shell/router.ts';
import '#web/office/sandbox/sandbox.css';
import '#web/office/sandbox/tools.css';

const [everyMs, typingMs] = [1000, 300];
const limit = 50;
const methods = ['GET', 'POST', 'PUT', 'DELETE'].map((method) => ({ value: method, text: method }));

/** Columns of the log; accounts by their names where those are known. */
function columnsOf(people: People, opened: number | null, open: (id: number) => void): readonly Column<Logged>[] {
  const names = new Map((people ?? []).map(({ uid, name }) => [uid, name]));
  return [
    {
      title: 'Entry',
      cell: ({ id }) => (
        <Button kind="link" isSmall aria-label={`Entry ${id}`} aria-pressed={id === opened} onClick={() => open(id)}>
          {id}
        </Button>
      ),
    },
    { title: 'When', cell: ({ at }) => <TimeText at={at} isShort /> },
    {
      title: 'Status',
      cell: (entry) =>
        statusText(entry) === '' ? '' : <StateName text={statusText(entry)} standing={standingOf(entry)} />,
    },
    { title: 'What', cell: (entry) => <span class="request-what">{whatText(entry)}</span> },
    { title: 'Error', cell: ({ refusal }) => refusal ?? '', style: 'request-short' },
    {
      title: 'Account',
      cell: ({ account }) => (account === null ? '' : (names.get(account) ?? account)),
      style: 'request-short',
    },
    { title: 'Fault', cell: ({ fault }) => fault ?? '' },
    { title: 'ms', cell: ({ durationMs }) => durationMs ?? '', isRight: true },
  ];
}

interface FilterFieldsProps {
  readonly filter: RequestFilter;
  readonly faults: FilterReading['faults'];
  readonly people: People;
  readonly onChange: (part: Partial<RequestFilter>) => void;
}

/** What the list is narrowed down by. */
const FilterFields = ({ filter, faults, people, onChange }: FilterFieldsProps) => (
  <div class="control-grid dense">
    <ChoiceField label="What" value={filter.shown} choices={shownKinds} onChoose={(shown) => onChange({ shown })} />
    <AccountField
      label="Account"
      value={filter.account}
      people={people}
      none="All"
      onInput={(account) => onChange({ account })}
      fault={faults['account']}
    />
    <ChoiceField
      label="Method"
      value={filter.method}
      choices={[{ value: '', text: 'All' }, ...methods]}
      onChoose={(method) => onChange({ method })}
    />
    <Field
      label="Path"
      value={filter.path}
      placeholder="/api/v3/*"
      onInput={(path) => onChange({ path })}
      fault={faults['path']}
    />
    <Field
      label="Status or close code"
      placeholder="400"
      value={filter.status}
      inputMode="decimal"
      onInput={(status) => onChange({ status })}
      fault={faults['status']}
    />
    <Field
      label="Error by its name"
      value={filter.refusal}
      placeholder="unknownPath"
      onInput={(refusal) => onChange({ refusal })}
      fault={faults['refusal']}
    />
    <Field
      label="Channel"
      value={filter.channel}
      placeholder="spot@public.*"
      onInput={(channel) => onChange({ channel })}
      fault={faults['channel']}
    />
    <Field
      label="Number of a websocket"
      placeholder="1"
      value={filter.connection}
      inputMode="decimal"
      onInput={(connection) => onChange({ connection })}
      fault={faults['connection']}
    />
  </div>
);

/** A value once it has not changed for a moment. */
function useCalm<Value>(value: Value): Value {
  const [calm, setCalm] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setCalm(value), typingMs);
    return () => clearTimeout(timer);
  }, [value]);
  return calm;
}

interface LogActsProps {
  readonly isPaused: boolean;
  readonly members: FilterReading['members'];
  readonly onPause: () => void;
  readonly onClear: () => void;
}

/** What is done with the log: pause, save, switch off, forget. */
function LogActs({ isPaused, members, onPause, onClear }: LogActsProps) {
  const control = useControl();
  const settings = useCall('getRequestSettings', {});
  const { value } = settings;
  const save = async (): Promise<void> => {
    try {
      const { answer } = await callOffice('exportRequests', { ...members, kind: undefined, format: 'har' });
      saveFile('requests.har', answer.text, 'application/json');
    } catch (error) {
      say((error as Error).message, 'bad');
    }
  };
  const turn = async (): Promise<void> => {
    if (value === null) return;
    const done = value.isOn ? 'Nothing is logged any more.' : 'Requests are logged.';
    await control.run('setRequestSettings', { isOn: !value.isOn, kept: value.kept }, done);
    settings.reload();
  };
  const clear = async (): Promise<void> => {
    if ((await control.run('clearRequests', {}, 'The log is empty.')) !== null) onClear();
  };
  return (
    <>
      <Button isSmall aria-pressed={isPaused} onClick={onPause}>
        {isPaused ? 'Go on' : 'Pause'}
      </Button>
      <Button isSmall onClick={() => void save()}>
        Save as HAR
      </Button>
      <Button isSmall disabled={value === null || control.isBusy} onClick={() => void turn()}>
        {value?.isOn === false ? 'Log again' : 'Stop logging'}
      </Button>
      <Button isSmall disabled={control.isBusy} onClick={() => void clear()}>
        Forget all
      </Button>
      <Refused text={control.faults[''] ?? null} />
    </>
  );
}

/** What is shown, kept in the address: going back and loading again show the same. DEC-WEB-65. */
function useRequestView() {
  const [view, setView] = useState(() => viewOf(location.search));
  const change = (next: (now: RequestView) => RequestView): void => setView(next);
  const search = searchOf(view);
  useEffect(() => goTo(`${location.pathname}${search}`, true), [search]);
  return { ...view, change };
}

function Requests() {
  const { people } = usePeople();
  const { filter, entry: chosen, change } = useRequestView();
  const [isPaused, setPaused] = useState(false);
  const open = (entry: number | null): void => change((now) => ({ ...now, entry }));
  const { faults } = readFilter(filter);
  const { members } = readFilter(useCalm(filter));
  const list = useList('listRequests', { ...members, limit }, isPaused ? 0 : everyMs);
  return (
    <div class={chosen === null ? undefined : 'office-beside'}>
      <Part
        title="Log"
        acts={
          <LogActs
            isPaused={isPaused}
            members={members}
            onPause={() => setPaused(!isPaused)}
            onClear={() => {
              open(null);
              list.reload();
            }}
          />
        }
      >
        <FilterFields
          filter={filter}
          faults={faults}
          people={people}
          onChange={(part) => change((now) => ({ ...now, filter: { ...now.filter, ...part } }))}
        />
        <div class="request-list">
          <ListView
            // What is read on is kept while the log stands.
            list={isPaused ? list : { ...list, more: null }}
            label="Log"
            columns={columnsOf(people, chosen, open)}
            keyOf={({ id }) => String(id)}
            empty="Nothing of that kind came yet."
          />
        </div>
      </Part>
      {chosen === null ? null : <RequestDetail key={chosen} id={chosen} onClose={() => open(null)} />}
    </div>
  );
}

/** The log of requests and streams, live, newest first, and each entry as a whole. DEC-WEB-65, DEC-WEB-66. */
export const Page = () => (
  <OfficePage title="Requests" scope="market:control">
    <Requests />
  </OfficePage>
);
