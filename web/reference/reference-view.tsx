import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Empty, Failure, Loading } from '#web/design/states.tsx';
import type { Caller } from '#web/reference/caller.ts';
import type { OperationGroup } from '#web/reference/operation.ts';
import { Method, OperationView } from '#web/reference/operation-view.tsx';
import { groups, groupsFault, matching, operationById, readReference } from '#web/reference/read-reference.ts';
import '#web/shell/section.css';
import '#web/reference/reference.css';
import { exchange } from '#web/shell/exchange-facts.ts';
import { goTo } from '#web/shell/router.ts';

/** Where the reference of a port begins. */
const home = '/docs/';
const addressOf = (id: string): string => `${home}${id}`;

interface IndexProps {
  readonly all: readonly OperationGroup[];
  readonly chosen: string | undefined;
}

/** All endpoints by name: beside the page, or as a list to choose from where it is narrow. DEC-WEB-70. */
function ReferenceIndex({ all, chosen }: IndexProps) {
  const [words, setWords] = useState('');
  const shown = matching(all, words);
  return (
    <nav class="side-index" aria-label="Endpoints">
      <div class="field-box">
        <input
          type="search"
          aria-label="Filter endpoints"
          placeholder="Filter endpoints"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
      </div>
      <a href={home} aria-current={chosen === undefined ? 'page' : undefined}>
        All endpoints
      </a>
      {shown.length === 0 ? <p class="soft">No endpoint is named so.</p> : null}
      {shown.map(({ name, operations }) => (
        <details key={name} open={words !== '' || operations.some(({ id }) => id === chosen)}>
          <summary>{name}</summary>
          {operations.map(({ id, name: title, method }) => (
            <a key={id} href={addressOf(id)} aria-current={id === chosen ? 'page' : undefined}>
              <Method method={method} />
              {title}
            </a>
          ))}
        </details>
      ))}
    </nav>
  );
}

const NarrowIndex = ({ all, chosen }: IndexProps) => (
  <select
    class="narrow-index"
    aria-label="Endpoint"
    value={chosen ?? ''}
    onChange={(event) => goTo(event.currentTarget.value === '' ? home : addressOf(event.currentTarget.value))}
  >
    <option value="">All endpoints</option>
    {all.map(({ name, operations }) => (
      <optgroup key={name} label={name}>
        {operations.map(({ id, name: title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </optgroup>
    ))}
  </select>
);

const Overview = ({ all }: { readonly all: readonly OperationGroup[] }) => (
  <div class="endpoint-groups">
    {all.map(({ name, about, operations }) => (
      <section key={name} class="card" aria-label={name}>
        <div class="panel-head">
          <h2>{name}</h2>
          <p class="soft">{about}</p>
        </div>
        <ul class="endpoints">
          {operations.map(({ id, name: title, method, path, access }) => (
            <li key={id}>
              <a href={addressOf(id)}>
                <Method method={method} />
                <span class="endpoint-name">{title}</span>
                <code class="soft">{path}</code>
                <small class="soft">{access === 'signed' ? 'signed' : ''}</small>
              </a>
            </li>
          ))}
        </ul>
      </section>
    ))}
  </div>
);

interface ReferenceViewProps {
  readonly title: string;
  readonly caller: Caller;
  /** Chooses who sends; it stays in sight. */
  readonly chooser: ComponentChildren;
  /** Stands on the first page, above all endpoints. */
  readonly children: ComponentChildren;
  /** Id of an endpoint; `undefined`: the first page. */
  readonly chosen: string | undefined;
}

/** The endpoints of a port: an index that stays, one page for each, and all of them on the first. DEC-WEB-70. */
export function ReferenceView({ title, caller, chooser, children, chosen }: ReferenceViewProps) {
  useEffect(() => void readReference(), []);
  const all = groups.value;
  const operation = all === null || chosen === undefined ? null : operationById(all, chosen);
  const name = operation?.name;
  useEffect(() => {
    if (name !== undefined) document.title = `${name} · ${exchange.name}`;
  }, [name]);
  if (groupsFault.value !== null) return <Failure text={groupsFault.value} onRetry={() => void readReference()} />;
  if (all === null) return <Loading />;
  return (
    <div class="reference">
      <ReferenceIndex all={all} chosen={chosen} />
      <div class="reference-main">
        <div class="reference-bar">
          <NarrowIndex all={all} chosen={chosen} />
          {chooser}
        </div>
        <div class="reference-page section-page">
          {operation === null ? (
            <>
              <h1>{title}</h1>
              {chosen === undefined ? children : <Empty text="There is no such endpoint." />}
              <Overview all={all} />
            </>
          ) : (
            <OperationView key={operation.id} operation={operation} caller={caller} />
          )}
        </div>
      </div>
    </div>
  );
}
