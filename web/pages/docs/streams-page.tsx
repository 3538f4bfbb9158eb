import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { session } from '#web/data/session.ts';
import { Failure, Loading } from '#web/design/states.tsx';
import { ChannelSection, MessageSection } from '#web/pages/docs/channel-sections.tsx';
import { Listener } from '#web/pages/docs/listener.tsx';
import { Listening } from '#web/pages/docs/listening.ts';
import {
  controlsOf,
  exampleOf,
  familiesOf,
  type StreamDocument,
  wrapperName,
} from '#web/pages/docs/stream-document.ts';
import { Blocks, sectionsOf } from '#web/reference/prose.tsx';
import { SchemaTable } from '#web/reference/schema-table.tsx';
import '#web/shell/section.css';
import '#web/reference/reference.css';
import '#web/pages/docs/streams.css';
import { openSignIn } from '#web/shell/sign-in.tsx';

/** Links of the index under their heading. */
interface IndexPart {
  readonly title: string;
  readonly links: readonly { readonly id: string; readonly title: string }[];
}

const goToSection = (id: string): void => document.getElementById(id)?.scrollIntoView();

/** The index that stays: beside the page, or as a list to choose from where it is narrow. DEC-WEB-70. */
const StreamIndex = ({ parts }: { readonly parts: readonly IndexPart[] }) => (
  <nav class="side-index" aria-label="On this page">
    {parts.map(({ title, links }) => (
      <div key={title} class="index-part">
        <strong>{title}</strong>
        {links.map((link) => (
          <a key={link.id} href={`#${link.id}`}>
            {link.title}
          </a>
        ))}
      </div>
    ))}
    <div class="index-part">
      <strong>Elsewhere</strong>
      <a href="/docs/">REST API</a>
      <a href="/asyncapi.json">asyncapi.json</a>
      <a href="/proto/push.proto" download>
        push.proto
      </a>
    </div>
  </nav>
);

const NarrowStreamIndex = ({ parts }: { readonly parts: readonly IndexPart[] }) => (
  <div class="reference-bar stream-bar">
    <select class="narrow-index" aria-label="On this page" onChange={(event) => goToSection(event.currentTarget.value)}>
      {parts.map(({ title, links }) => (
        <optgroup key={title} label={title}>
          {links.map((link) => (
            <option key={link.id} value={link.id}>
              {link.title}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  </div>
);

/** The document of the websocket, once it was read. */
function useStreamDocument() {
  const [read, setRead] = useState<StreamDocument | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const load = useCallback((): void => {
    setFault(null);
    fetch('/asyncapi.json')
      .then(async (response) => {
        if (!response.ok) throw new Error(`The exchange answered ${response.status}.`);
        setRead((await response.json()) as StreamDocument);
      })
      .catch((error: unknown) =>
        setFault(error instanceof TypeError ? 'The exchange does not answer.' : (error as Error).message),
      );
  }, []);
  useEffect(load, [load]);
  return { read, fault, load };
}

function StreamContent({ read }: { readonly read: StreamDocument }) {
  const listening = useMemo(() => new Listening(), []);
  useEffect(() => () => listening.close(), [listening]);
  // Whoever came by a link to a section sees it.
  useEffect(() => goToSection(location.hash.slice(1)), []);
  const { intro, sections } = sectionsOf(read.info.description);
  const families = familiesOf(read);
  const controls = controlsOf(read);
  const parts: readonly IndexPart[] = [
    {
      title: 'Streams',
      links: [{ id: 'listen', title: 'Listen now' }, { id: 'connections', title: 'Connections' }, ...sections],
    },
    { title: 'Channels', links: families.map(([id]) => ({ id, title: id })) },
    { title: 'Messages', links: controls.map(([id]) => ({ id, title: id })) },
  ];
  const listen = (channel: string): void => {
    const isPrivate = channel.startsWith('spot@private.');
    if (isPrivate && session.peek() === null) openSignIn();
    else listening.add(channel, isPrivate ? session.peek() : null);
    goToSection('listen');
  };
  return (
    <div class="reference stream-page">
      <StreamIndex parts={parts} />
      <div class="reference-main">
        <NarrowStreamIndex parts={parts} />
        <div class="reference-page section-page">
          <h1>Streams</h1>
          <Listener listening={listening} examples={families.map(([, channel]) => exampleOf(channel))} />
          <div class="endpoint-groups">
            <section id="connections" class="card panel told" aria-label="Connections">
              <h2>Connections</h2>
              <Blocks text={intro} />
            </section>
            {sections.map(({ id, title, text }) => (
              <section key={id} id={id} class="card panel told" aria-label={title}>
                <h2>{title}</h2>
                <Blocks text={text} />
                {id === 'the-outer-message' ? (
                  <details>
                    <summary>
                      Fields of <code>{wrapperName}</code>
                    </summary>
                    <SchemaTable label="Fields of every push" schema={read.components.schemas[wrapperName] ?? {}} />
                  </details>
                ) : null}
              </section>
            ))}
          </div>
          <h2>Channels</h2>
          {families.map(([id, channel]) => (
            <ChannelSection key={id} id={id} channel={channel} document={read} onListen={listen} />
          ))}
          <h2>Messages</h2>
          {controls.map(([id, message]) => (
            <MessageSection key={id} id={id} message={message} />
          ))}
        </div>
      </div>
    </div>
  );
}

/** The websocket: a listener, what holds for all of it, and every channel with examples. DEC-WEB-74. */
export function Page() {
  const { read, fault, load } = useStreamDocument();
  if (fault !== null) return <Failure text={fault} onRetry={load} />;
  return read === null ? <Loading /> : <StreamContent read={read} />;
}
