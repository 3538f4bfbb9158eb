import { useState } from 'preact/hooks';
import { Button } from '#web/design/button.tsx';
import { clockText } from '#web/design/values.tsx';
import { type Feed, type FeedRow, hexOf, rowsMax } from '#web/pages/docs/feed.ts';
import { CodeBlock } from '#web/reference/code-block.tsx';

/** The family of a channel and what it is about, which is enough on a line. */
const shortName = (channel: string): string =>
  channel
    .replace(/^spot@(?:public|private)\./, '')
    .replace('.v3.api.pb', '')
    .replaceAll('@', ' ');

function PushRow({ row }: { readonly row: FeedRow }) {
  const [isOpen, setOpen] = useState(false);
  const { at, who, channel, line, content, bytes, raw } = row;
  return (
    <li>
      <button type="button" class="push" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span class="number soft">{clockText(at)}</span>
        <span class="push-channel">
          {shortName(channel)}
          {who === '' ? '' : ` as ${who}`}
        </span>
        <span class="push-line">{line}</span>
        <span class="number soft">{bytes} B</span>
      </button>
      {isOpen ? (
        <div class="push-whole">
          <CodeBlock what="push" code={JSON.stringify(content, null, 2)} />
          <CodeBlock
            what={typeof raw === 'string' ? 'frame' : 'frame in hex'}
            code={typeof raw === 'string' ? raw : hexOf(raw)}
          />
        </div>
      ) : null}
    </li>
  );
}

/** What is pushed, the newest first, each push read and as it was sent. DEC-WEB-74. */
export function FeedView({ feed }: { readonly feed: Feed }) {
  const { pushes, bytes } = feed.rate.value;
  const rows = feed.rows.value;
  return (
    <div class="feed">
      <div class="feed-head">
        <span class="number soft">
          {pushes}/s, {(bytes / 1000).toFixed(1)} kB/s, {feed.total.value.toLocaleString('en')} in all
        </span>
        <span class="acts">
          <Button isSmall aria-pressed={feed.isPaused.value} onClick={() => feed.pause(!feed.isPaused.value)}>
            {feed.isPaused.value ? 'Go on' : 'Pause'}
          </Button>
          <Button isSmall onClick={() => feed.clear()}>
            Clear
          </Button>
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it */}
      <section class="feed-rows" tabIndex={0} aria-label={`Pushes, the newest ${rowsMax}`}>
        {rows.length === 0 ? (
          <p class="state">Choose what to listen to. Pushes appear here, each can be opened.</p>
        ) : (
          <ul>
            {rows.map((row) => (
              <PushRow key={row.id} row={row} />
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}
