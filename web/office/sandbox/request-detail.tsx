import { useEffect, useRef } from 'preact/hooks';
import { Button } from '#web/design/button.tsx';
import { StateName } from '#web/design/facts.tsx';
import { Table } from '#web/design/table.tsx';
import { TimeText } from '#web/design/values.tsx';
import { useCall } from '#web/office/data/use-office.ts';
import { AccountLink } from '#web/office/parts/links.tsx';
import { RecordView } from '#web/office/parts/member-value.tsx';
import { Part } from '#web/office/parts/office-page.tsx';
import { ReadingView } from '#web/office/parts/reading-view.tsx';
import { RequestCopy } from '#web/office/sandbox/request-copy.tsx';
import {
  type Entry,
  hexLines,
  indented,
  parametersOf,
  standingOf,
  statusText,
  whatText,
} from '#web/office/sandbox/request-texts.ts';
import { ShownText } from '#web/office/sandbox/shown-text.tsx';

const Text = ({ title, text }: { readonly title: string; readonly text: string | null }) =>
  text === null || text === '' ? null : (
    <>
      <h3>{title}</h3>
      <ShownText label={title} text={text} />
    </>
  );

function Parameters({ entry }: { readonly entry: Entry }) {
  const { parameters, isBodyText } = parametersOf(entry);
  return (
    <>
      {parameters.length === 0 ? null : (
        <Table
          label="Parameters"
          rows={parameters.map((each, at) => ({ ...each, at }))}
          keyOf={({ at }) => String(at)}
          empty=""
          columns={[
            { title: 'Parameter', cell: ({ name }) => name },
            { title: 'Value', cell: ({ value }) => value, style: 'office-wide' },
            { title: 'In', cell: ({ place }) => place },
          ]}
        />
      )}
      <Text title="Body" text={isBodyText ? entry.body : null} />
    </>
  );
}

const Headers = ({ title, headers }: { readonly title: string; readonly headers: Entry['headers'] }) =>
  Object.keys(headers).length === 0 ? null : (
    <>
      <h3>{title}</h3>
      <dl class="office-record">
        {Object.entries(headers).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );

/** How an entry ended; nothing where that says nothing. */
const EntryStatus = ({ entry }: { readonly entry: Entry }) =>
  statusText(entry) === '' ? null : <StateName text={statusText(entry)} standing={standingOf(entry)} />;

/** What of an entry is told beside its line. */
const told = ['key', 'address', 'endpoint', 'durationMs', 'refusal', 'fault', 'carriedOut', 'cutAfter'] as const;

/** A request, first as text to make it again, and its answer. */
const RequestParts = ({ entry }: { readonly entry: Entry }) => (
  <>
    {entry.kind === 'request' ? (
      <Part title="Make it again">
        <RequestCopy id={entry.id} isSigned={entry.key !== null} />
      </Part>
    ) : null}
    <Part title="Request">
      <Parameters entry={entry} />
      <Headers title="Headers" headers={entry.headers} />
      {entry.signedText === null ? null : (
        <>
          <p class="office-note">
            The signature is wrong. This text is to be signed; compare it with yours, to the last character.
          </p>
          <Text title="Text to sign" text={entry.signedText} />
          <Text title="Its signature" text={entry.expectedSignature} />
        </>
      )}
    </Part>
    <Part title="Answer">
      {entry.answer === null ? <p class="soft">The connection was cut without an answer.</p> : null}
      <Text title="Body" text={entry.answer === null ? null : indented(entry.answer)} />
      <Headers title="Headers" headers={entry.answerHeaders} />
    </Part>
  </>
);

/** What a websocket carried: as JSON, and the bytes of a push as they were written. */
const FrameParts = ({ entry: { body, answer, encoding, frameBytes, frame } }: { readonly entry: Entry }) => (
  <>
    {body === null || body === '' ? null : (
      <Part title="From the client">
        <Text title="Message" text={indented(body)} />
      </Part>
    )}
    {answer === null || answer === '' ? null : (
      <Part title="To the client">
        <Text title={encoding === 'protobuf' ? 'Decoded' : 'Message'} text={indented(answer)} />
        {encoding === null ? null : (
          <p class="soft">
            Written as {encoding === 'protobuf' ? 'protobuf' : 'JSON'}, {frameBytes} bytes with the head of the frame.
          </p>
        )}
        {frame === null || encoding !== 'protobuf' ? null : (
          <>
            <h3>Bytes</h3>
            <ShownText label="Bytes" text={hexLines(frame)} style="lines" />
          </>
        )}
      </Part>
    )}
  </>
);

/** An entry of the log, opened: its line, then what it carried. DEC-WEB-65. */
export function RequestDetail({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  const reading = useCall('getRequest', { id });
  useEffect(() => {
    // Where it stands below the list it is not seen else.
    if (matchMedia('(max-width: 1100px)').matches) place.current?.scrollIntoView();
  }, []);
  return (
    <div ref={place} class="office-aside">
      <ReadingView reading={reading}>
        {(entry) => (
          <>
            <Part
              title={`Entry ${id}`}
              acts={
                <Button isSmall kind="quiet" onClick={onClose}>
                  Close
                </Button>
              }
            >
              <p class="request-line">
                <EntryStatus entry={entry} /> <span class="code">{whatText(entry)}</span>
              </p>
              <dl class="office-record">
                <div>
                  <dt>When</dt>
                  <dd>
                    <TimeText at={entry.at} />
                  </dd>
                </div>
                {entry.account === null ? null : (
                  <div>
                    <dt>Account</dt>
                    <dd>
                      <AccountLink uid={entry.account} />
                    </dd>
                  </div>
                )}
              </dl>
              <RecordView record={entry} members={told.filter((name) => entry[name] !== null)} />
            </Part>
            {entry.kind === 'request' || entry.kind === 'control' ? (
              <RequestParts entry={entry} />
            ) : (
              <FrameParts entry={entry} />
            )}
          </>
        )}
      </ReadingView>
    </div>
  );
}
