import { useState } from 'preact/hooks';
import { Button } from '#web/design/button.tsx';
import { Refused } from '#web/design/facts.tsx';
import { ChoiceField, Field } from '#web/design/field.tsx';
import { Part } from '#web/office/parts/office-page.tsx';
import { CheckList } from '#web/office/sandbox/check-list.tsx';
import { multipleOf } from '#web/office/sandbox/percent-text.ts';
import { spanOf } from '#web/office/sandbox/span-text.ts';
import { useControl } from '#web/office/sandbox/use-control.ts';
import type { Market } from '#web/office/sandbox/use-market.ts';

const agentStates = [
  { value: 'on', text: 'Trade' },
  { value: 'still', text: 'Leave their orders and do nothing' },
  { value: 'off', text: 'Have no orders' },
] as const;
const bookSides = [
  { value: 'both', text: 'Both sides' },
  { value: 'buy', text: 'Buy orders only' },
  { value: 'sell', text: 'Sell orders only' },
] as const;

const usual = { agents: 'on', sides: 'both', spread: '1', depth: '1', trades: '1', span: '' };
type Entries = typeof usual;

const presets: readonly { readonly title: string; readonly entries: Partial<Entries> }[] = [
  { title: 'Standing book', entries: { agents: 'still' } },
  { title: 'Empty book', entries: { agents: 'off' } },
  { title: 'Nobody sells', entries: { sides: 'buy' } },
  { title: 'Thin and wide', entries: { depth: '0.02', spread: '20' } },
  { title: 'Storm of trades', entries: { trades: '20' } },
  { title: 'As usual', entries: {} },
];
const multiples = [
  { name: 'spread', member: 'spreadPpm', label: 'Spread' },
  { name: 'depth', member: 'depthPpm', label: 'Depth' },
  { name: 'trades', member: 'tradesPpm', label: 'Trades at random' },
] as const;

/** Members of the call, and what cannot be read, by the name of the member. */
function readEntries(entries: Entries) {
  const faults: Record<string, string> = {};
  const members: Record<string, unknown> = { agents: entries.agents, sides: entries.sides };
  const read = (member: string, value: () => number): void => {
    try {
      members[member] = value();
    } catch (error) {
      faults[member] = (error as Error).message;
    }
  };
  for (const { name, member } of multiples) read(member, () => multipleOf(entries[name]));
  if (entries.span.trim() !== '') read('seconds', () => Math.round(spanOf(entries.span) / 1000));
  return { members, faults };
}

interface ConditionsProps {
  readonly market: Market;
  readonly onChange: () => void;
}

/** Tells the traders of some markets what to do there, for a while, and halts markets for a while. DEC-WEB-62. */
export function MarketConditions({ market, onChange }: ConditionsProps) {
  const control = useControl(['markets', 'seconds', ...multiples.map(({ member }) => member)]);
  const { faults, isBusy } = control;
  const [markets, setMarkets] = useState<readonly string[]>([]);
  const [entries, setEntries] = useState<Entries>(usual);
  const enter = (part: Partial<Entries>): void => setEntries((now) => ({ ...now, ...part }));
  const change = async (): Promise<void> => {
    const { members, faults: found } = readEntries(entries);
    if (Object.keys(found).length > 0) return control.refuse(found);
    await control.run('setMarketCondition', { markets, ...members }, 'The traders were told.');
    onChange();
  };
  const halt = async (): Promise<void> => {
    const { members, faults: found } = readEntries(entries);
    if (found['seconds'] !== undefined) return control.refuse({ seconds: found['seconds'] });
    await control.run('haltMarkets', { markets, seconds: members['seconds'] ?? null }, 'The markets are halted.');
    onChange();
  };
  const reset = async (): Promise<void> => {
    await control.run('clearMarketConditions', {}, 'All markets are left to themselves.');
    onChange();
  };
  const isNone = markets.length === 0;
  return (
    <Part
      title="Traders and halts"
      acts={
        <Button isSmall disabled={isBusy} onClick={() => void reset()}>
          Leave all to themselves
        </Button>
      }
    >
      <CheckList
        title="Markets"
        names={market.markets.map((each) => each.market)}
        chosen={markets}
        onChoose={setMarkets}
        fault={faults['markets']}
      />
      <div class="control-choices">
        {presets.map(({ title, entries: preset }) => (
          <Button key={title} isSmall onClick={() => setEntries({ ...usual, span: entries.span, ...preset })}>
            {title}
          </Button>
        ))}
      </div>
      <form
        class="office-form"
        onSubmit={(event) => {
          event.preventDefault();
          void change();
        }}
      >
        <div class="control-pair">
          <ChoiceField
            label="The traders"
            value={entries.agents as 'on'}
            choices={agentStates}
            onChoose={(agents) => enter({ agents })}
          />
          <ChoiceField
            label="Their orders"
            value={entries.sides as 'both'}
            choices={bookSides}
            onChoose={(sides) => enter({ sides })}
          />
          {multiples.map(({ name, member, label }) => (
            <Field
              key={name}
              label={label}
              value={entries[name]}
              unit="× usual"
              inputMode="decimal"
              fault={faults[member]}
              onInput={(value) => enter({ [name]: value })}
            />
          ))}
          <Field
            label="For"
            value={entries.span}
            placeholder="until it is changed"
            fault={faults['seconds']}
            onInput={(span) => enter({ span })}
          />
        </div>
        <Refused text={faults[''] ?? null} />
        <div class="office-acts">
          <Button kind="primary" type="submit" disabled={isBusy || isNone || !market.isActing}>
            Tell the traders
          </Button>
          <Button kind="sell" disabled={isBusy || isNone} onClick={() => void halt()}>
            Halt these markets
          </Button>
        </div>
      </form>
    </Part>
  );
}
