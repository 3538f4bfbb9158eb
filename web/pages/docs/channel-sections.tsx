import { Button } from '#web/design/button.tsx';
import { CodeBlock } from '#web/reference/code-block.tsx';
import { Prose } from '#web/reference/prose.tsx';
import { SchemaTable } from '#web/reference/schema-table.tsx';
import {
  bodiesOf,
  exampleOf,
  type StreamChannel,
  type StreamDocument,
  type StreamMessage,
} from '#web/pages/docs/stream-document.ts';

type Example = NonNullable<StreamMessage['examples']>[number];

/** One push in both encodings. JSON is sent without blanks, so that printing the payload gives what is sent. */
function PushExample({ message, example }: { readonly message: StreamMessage; readonly example: Example }) {
  const json = JSON.stringify(example.payload);
  const protobuf = message['x-protobuf-examples']?.find(({ name }) => name === example.name);
  return (
    <div class="push-example">
      <p>
        <Prose text={example.summary ?? ''} />
      </p>
      <small class="soft">JSON, {json.length} bytes</small>
      <CodeBlock what="JSON" code={json} />
      {protobuf === undefined ? null : (
        <>
          <small class="soft">protobuf, {protobuf.bytes} bytes, in hex</small>
          <CodeBlock what="protobuf in hex" code={protobuf.hex} />
        </>
      )}
    </div>
  );
}

interface ChannelSectionProps {
  readonly id: string;
  readonly channel: StreamChannel;
  readonly document: StreamDocument;
  readonly onListen: (channel: string) => void;
}

/** A channel: what it pushes and when, with examples and all fields. */
export function ChannelSection({ id, channel, document, onListen }: ChannelSectionProps) {
  const message = document.components.messages[id] as StreamMessage;
  const [first, ...more] = message.examples ?? [];
  return (
    <section id={id} class="card panel" aria-labelledby={`${id}-title`}>
      <div class="channel-head">
        <h3 id={`${id}-title`}>{channel.title}</h3>
        <span class="state-name">{channel.tags?.[0]?.name}</span>
        <Button isSmall aria-label={`Listen to ${channel.title}`} onClick={() => onListen(exampleOf(channel))}>
          Listen
        </Button>
      </div>
      <p>
        <code>{channel.address}</code>
      </p>
      <p>
        <Prose text={`${channel.summary} ${channel.description ?? ''}`} />
      </p>
      {Object.keys(channel.parameters ?? {}).length === 0 ? null : (
        <dl class="channel-parts">
          {Object.entries(channel.parameters ?? {}).flatMap(([name, { description, enum: values = [] }]) => [
            <dt key={`${name}?`}>
              <code>{name}</code>
            </dt>,
            <dd key={name}>
              {description}{' '}
              {values.map((value) => (
                <code key={value}>{value}</code>
              ))}
            </dd>,
          ])}
        </dl>
      )}
      {first === undefined ? null : <PushExample message={message} example={first} />}
      {more.length === 0 ? null : (
        <details>
          <summary>{more.length === 1 ? '1 more example' : `${more.length} more examples`}</summary>
          {more.map((example) => (
            <PushExample key={example.name} message={message} example={example} />
          ))}
        </details>
      )}
      <details>
        <summary>
          Fields of <code>{message.name}</code>
        </summary>
        {bodiesOf(message, document).map((name) => (
          <div key={name}>
            <h4>{name}</h4>
            <SchemaTable label={name} schema={document.components.schemas[name] ?? {}} />
          </div>
        ))}
      </details>
    </section>
  );
}

interface MessageSectionProps {
  readonly id: string;
  readonly message: StreamMessage;
}

/** A message that is no push: a request, or the reply to one. */
export const MessageSection = ({ id, message }: MessageSectionProps) => (
  <section id={id} class="card panel" aria-labelledby={`${id}-title`}>
    <h3 id={`${id}-title`}>{id}</h3>
    <p>
      <Prose text={message.summary} />
    </p>
    <SchemaTable label={`Members of ${id}`} schema={message.payload} />
    {(message.examples ?? []).map(({ name, summary, payload }, index) => {
      const request = message['x-requests']?.find((each) => each.name === name)?.request;
      return (
        <div key={name ?? index} class="push-example">
          {summary === undefined ? null : (
            <p>
              <Prose text={summary} />
            </p>
          )}
          {request === undefined ? null : (
            <>
              <small class="soft">request</small>
              <CodeBlock what="request" code={request} />
              <small class="soft">reply</small>
            </>
          )}
          <CodeBlock what={request === undefined ? 'example' : 'reply'} code={JSON.stringify(payload)} />
        </div>
      );
    })}
  </section>
);
