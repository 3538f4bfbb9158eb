import { useSignal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { channels } from '#client/client.ts';
import { pairs, readMarkets } from '#web/data/markets.ts';
import { type DemoAccount, demoAccounts, session } from '#web/data/session.ts';
import { Button } from '#web/design/button.tsx';
import { ChoiceField, Field } from '#web/design/field.tsx';
import { CloseIcon } from '#web/design/icons.tsx';
import { FeedView } from '#web/pages/docs/feed-view.tsx';
import { listenCodes } from '#web/pages/docs/listen-code.ts';
import type { Encoding, Heard, Listening, ListeningAs } from '#web/pages/docs/listening.ts';
import { CodeTabs } from '#web/reference/code-block.tsx';
import { exchange } from '#web/shell/exchange-facts.ts';
import { openSignIn } from '#web/shell/sign-in.tsx';

/** What a chip listens to. */
interface ChipPart {
  readonly title: string;
  readonly channels: readonly string[];
  readonly as: ListeningAs | null;
}

const publicChips = (symbol: string): readonly ChipPart[] => [
  { title: `Trades of ${symbol}`, channels: [channels.aggreDeals({ speed: '100ms', symbol })], as: null },
  { title: `Book of ${symbol}`, channels: [channels.aggreDepth({ speed: '100ms', symbol })], as: null },
  { title: `Best prices of ${symbol}`, channels: [channels.aggreBookTicker({ speed: '100ms', symbol })], as: null },
  { title: `Candles of ${symbol}`, channels: [channels.kline({ symbol, interval: 'Min1' })], as: null },
  { title: `Day of ${symbol}`, channels: [channels.miniTicker({ symbol, zone: '24H' })], as: null },
  { title: 'Days of all pairs', channels: [channels.miniTickers({ zone: '24H' })], as: null },
];

const privateChannels = [channels.orders(), channels.deals(), channels.account()];

const privateChips = (accounts: readonly ListeningAs[]): readonly ChipPart[] =>
  accounts.map((as) => ({ title: `Private as ${as.name}`, channels: privateChannels, as }));

function Chip({ listening, part }: { readonly listening: Listening; readonly part: ChipPart }) {
  const isOn = part.channels.every((channel) => listening.hears(channel, part.as));
  const turn = (): void => {
    for (const channel of part.channels)
      if (isOn) listening.remove(channel, part.as);
      else listening.add(channel, part.as);
  };
  return (
    <button type="button" class="chip" aria-pressed={isOn} onClick={turn}>
      {part.title}
    </button>
  );
}

const stateTexts: Readonly<Record<Heard['state'], string>> = {
  asked: 'asked for',
  open: 'open',
  lost: 'lost, it is made again',
};

/** What is listened to, each with a way to end it. */
const HeardList = ({ listening }: { readonly listening: Listening }) => (
  <ul class="heard" aria-label="Channels that are listened to">
    {[...listening.heard.value.entries()].map(([key, { channel, as, state }]) => (
      <li key={key}>
        <code>{channel}</code>
        {as === null ? null : <small class="soft">as {as.name}</small>}
        <small class={state === 'open' ? 'up' : 'soft'}>{stateTexts[state]}</small>
        <Button kind="quiet" isSmall isIcon aria-label={`End ${channel}`} onClick={() => listening.remove(channel, as)}>
          <CloseIcon />
        </Button>
      </li>
    ))}
  </ul>
);

/** A channel by its name. */
function OwnChannel({ listening, examples }: { readonly listening: Listening; readonly examples: readonly string[] }) {
  const [name, setName] = useState('');
  const add = (): void => {
    const channel = name.trim();
    if (channel === '') return;
    if (channel.startsWith('spot@private.') && session.peek() === null) openSignIn();
    else listening.add(channel, channel.startsWith('spot@private.') ? session.peek() : null);
  };
  return (
    <form
      class="own-channel"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <Field label="Another channel" value={name} onInput={setName} placeholder={examples[0] ?? ''} />
      <Button type="submit" disabled={name.trim() === ''}>
        Listen
      </Button>
    </form>
  );
}

const encodings = [
  { value: 'protobuf', text: 'protobuf' },
  { value: 'json', text: 'JSON' },
] as const satisfies readonly { readonly value: Encoding; readonly text: string }[];

/** Accounts that have chips beside the public ones. */
const accountsAtOnce = 2;

/** Accounts whose private channels can be heard by a click: demo accounts, and whoever is signed in. */
function useAccounts(): readonly ListeningAs[] {
  const [accounts, setAccounts] = useState<readonly DemoAccount[]>([]);
  useEffect(() => void demoAccounts().then(setAccounts), []);
  const who = session.value;
  const isOther = who !== null && accounts.every(({ accessKey }) => accessKey !== who.accessKey);
  return isOther ? [who, ...accounts] : accounts;
}

interface ListenerProps {
  readonly listening: Listening;
  /** Names of channels, one of each family. */
  readonly examples: readonly string[];
}

/** Listens to streams by a click, shows what is pushed, and the code that does the same. DEC-WEB-74, DEC-WEB-75. */
export function Listener({ listening, examples }: ListenerProps) {
  const symbol = useSignal('BTCUSDT');
  const accounts = useAccounts();
  useEffect(() => {
    if (pairs.peek() === null) void readMarkets();
  }, []);
  const names = pairs.value?.map((pair) => pair.symbol) ?? [symbol.value];
  const first: Heard = { channel: publicChips(symbol.value)[0]?.channels[0] ?? '', as: null, state: 'asked' };
  const heard = [...listening.heard.value.values()];
  const place = { origin: location.origin, keyHeader: exchange.keyHeader };
  return (
    <section id="listen" class="card panel listener" aria-label="Listen now">
      <h2>Listen now</h2>
      <div class="panel-tools">
        <ChoiceField
          label="Pair"
          value={symbol.value}
          choices={names.map((name) => ({ value: name, text: name }))}
          onChoose={(name) => {
            symbol.value = name;
          }}
        />
        <ChoiceField
          label="Encoding"
          value={listening.encoding.value}
          choices={encodings}
          onChoose={(encoding) => listening.encode(encoding)}
        />
      </div>
      <div class="chips">
        {[...publicChips(symbol.value), ...privateChips(accounts.slice(0, accountsAtOnce))].map((part) => (
          <Chip key={part.title} listening={listening} part={part} />
        ))}
        {accounts.length <= accountsAtOnce ? null : (
          <details class="more-chips">
            <summary>Other accounts</summary>
            <div class="chips">
              {privateChips(accounts.slice(accountsAtOnce)).map((part) => (
                <Chip key={part.title} listening={listening} part={part} />
              ))}
            </div>
          </details>
        )}
        {accounts.length > 0 ? null : (
          <button type="button" class="chip" onClick={openSignIn}>
            Private: sign in
          </button>
        )}
      </div>
      <OwnChannel listening={listening} examples={examples} />
      {listening.fault.value === null ? null : (
        <p class="refused" role="alert">
          {listening.fault.value}
        </p>
      )}
      {heard.length === 0 ? null : <HeardList listening={listening} />}
      <FeedView feed={listening.feed} />
      <details class="listen-code">
        <summary>The same as code</summary>
        <CodeTabs what="listening" choices={listenCodes(heard.length === 0 ? [first] : heard, place)} />
      </details>
    </section>
  );
}
