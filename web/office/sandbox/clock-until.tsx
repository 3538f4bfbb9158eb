import { useState } from 'preact/hooks';
import { Button } from '#web/design/button.tsx';
import { ChoiceField, Field } from '#web/design/field.tsx';
import { AdvanceRefused, type Pace, paces, useAdvance } from '#web/office/sandbox/clock-advance.tsx';
import { MarketField } from '#web/office/sandbox/market-field.tsx';
import { spanOf } from '#web/office/sandbox/span-text.ts';
import type { ControlFaults } from '#web/office/sandbox/use-control.ts';

type Event = 'price' | 'order' | 'funding' | 'candle';
const events: readonly { readonly value: Event; readonly text: string }[] = [
  { value: 'price', text: 'A price is reached' },
  { value: 'order', text: 'An order is filled or closed' },
  { value: 'funding', text: 'A contract has a funding' },
  { value: 'candle', text: 'A candle is over' },
];
const directions = [
  { value: 'above', text: 'At it or above' },
  { value: 'below', text: 'At it or below' },
] as const;
const orderEnds = [
  { value: 'filled', text: 'Filled' },
  { value: 'closed', text: 'Closed in any way' },
] as const;
const intervals = ['1m', '5m', '15m', '30m', '60m', '4h', '8h', '1d', '1W', '1M'].map((value) => ({
  value,
  text: value,
}));
const names = ['limitMs', 'price/market', 'price/above', 'price/below', 'order/order', 'funding/contract'];

interface UntilFormProps {
  /** One is on its way: the next begins once it is over. */
  readonly isAdvancing: boolean;
  /** Pairs and contracts that can be chosen. */
  readonly markets: readonly string[];
  readonly onChange: () => void;
}

interface Entered {
  readonly event: Event;
  readonly market: string;
  readonly contract: string;
  readonly direction: 'above' | 'below';
  readonly price: string;
  readonly order: string;
  readonly is: 'filled' | 'closed';
  readonly interval: string;
}

/** The member that says what is waited for. */
function conditionOf(entered: Entered): object {
  const { event, market, contract, direction, price, order, is, interval } = entered;
  switch (event) {
    case 'price':
      return { price: { market: market.trim(), [direction]: price.trim() } };
    case 'order':
      return { order: { order: order.trim(), is } };
    case 'funding':
      return { funding: { contract: contract.trim() } };
    case 'candle':
      return { candle: { interval } };
  }
}

interface ConditionFieldsProps {
  readonly entered: Entered;
  readonly markets: readonly string[];
  readonly faults: ControlFaults;
  readonly enter: (part: Partial<Entered>) => void;
}

function PriceFields({ entered: { market, direction, price }, markets, faults, enter }: ConditionFieldsProps) {
  return (
    <>
      <MarketField
        label="Pair or contract"
        value={market}
        names={markets}
        onInput={(next) => enter({ market: next })}
        fault={faults['price/market']}
      />
      <div class="control-pair">
        <ChoiceField
          label="Trades"
          value={direction}
          choices={directions}
          onChoose={(next) => enter({ direction: next })}
        />
        <Field
          label="Price"
          value={price}
          inputMode="decimal"
          onInput={(next) => enter({ price: next })}
          fault={faults[`price/${direction}`]}
        />
      </div>
    </>
  );
}

function ConditionFields(props: ConditionFieldsProps) {
  const { entered, markets, faults, enter } = props;
  const { event, contract, order, is, interval } = entered;
  switch (event) {
    case 'price':
      return <PriceFields {...props} />;
    case 'order':
      return (
        <div class="control-pair">
          <Field
            label="Id of the order"
            value={order}
            placeholder="C02__…"
            onInput={(next) => enter({ order: next })}
            fault={faults['order/order']}
          />
          <ChoiceField label="Is" value={is} choices={orderEnds} onChoose={(next) => enter({ is: next })} />
        </div>
      );
    case 'funding':
      return (
        <MarketField
          label="Contract"
          value={contract}
          names={markets.filter((name) => name.includes('_'))}
          onInput={(next) => enter({ contract: next })}
          fault={faults['funding/contract']}
        />
      );
    case 'candle':
      return (
        <ChoiceField
          label="Interval"
          value={interval}
          choices={intervals}
          onChoose={(next) => enter({ interval: next })}
        />
      );
  }
}

/** Lets time pass until something happens, at most a span. */
export function UntilForm({ isAdvancing, markets, onChange }: UntilFormProps) {
  const { isBusy, faults, refuse, advance } = useAdvance(names, onChange);
  const [entered, setEntered] = useState<Entered>({
    ...{ event: 'price', market: '', contract: '', direction: 'above', price: '', order: '', is: 'filled' },
    interval: '1m',
  });
  const [limit, setLimit] = useState('8 h');
  const [pace, setPace] = useState<Pace>('auto');
  const enter = (part: Partial<Entered>): void => setEntered((now) => ({ ...now, ...part }));
  const begin = (): void => {
    try {
      void advance('advanceClockUntil', { limitMs: spanOf(limit), pace, ...conditionOf(entered) });
    } catch (error) {
      refuse({ limitMs: (error as Error).message });
    }
  };
  return (
    <form
      class="office-form"
      onSubmit={(submitted) => {
        submitted.preventDefault();
        begin();
      }}
    >
      <ChoiceField
        label="What happens"
        value={entered.event}
        choices={events}
        onChoose={(next) => enter({ event: next })}
      />
      <ConditionFields {...{ entered, markets, faults, enter }} />
      <Field label="At most" value={limit} onInput={setLimit} placeholder="8 h" fault={faults['limitMs']} />
      <ChoiceField label="Pace" value={pace} choices={paces} onChoose={setPace} />
      <AdvanceRefused faults={faults} />
      <Button type="submit" disabled={isBusy || isAdvancing}>
        Advance until then
      </Button>
    </form>
  );
}
