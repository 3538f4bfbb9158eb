import { useEffect, useRef, useState } from 'preact/hooks';
import { balances, readAccount } from '#web/data/account.ts';
import type { Pair } from '#web/data/markets.ts';
import { reasonOf } from '#web/data/refusal.ts';
import { session } from '#web/data/session.ts';
import { openBookView } from '#web/data/streams/streams.ts';
import { Button } from '#web/design/button.tsx';
import { Dialog } from '#web/design/dialog.tsx';
import { ChoiceField, Field } from '#web/design/field.tsx';
import { Tabs } from '#web/design/tabs.tsx';
import { say } from '#web/design/toasts.tsx';
import { NumberText } from '#web/design/values.tsx';
import { lotsOfShare, percentOff } from '#web/pages/trade/order-cost.ts';
import { type PairUnits, plainText, typed, unitsOf } from '#web/pages/trade/pair-units.ts';
import { placeOrder } from '#web/pages/trade/place-order.ts';
import { type CheckedTicket, checkTicket } from '#web/pages/trade/ticket-check.ts';
import { Preview } from '#web/pages/trade/ticket-preview.tsx';
import {
  changeTicket,
  type StpMode,
  ticket,
  type TicketKind,
  type TimeInForce,
} from '#web/pages/trade/ticket-state.ts';
import { FeeTokenSwitch, useFees } from '#web/pages/trade/use-fees.tsx';
import { tellPlaced } from '#web/shell/fill-notes.ts';
import { openSignIn } from '#web/shell/sign-in.tsx';

const noLevels = new Float64Array();

const kinds = [
  { id: 'limit', title: 'Limit' },
  { id: 'market', title: 'Market' },
  { id: 'postOnly', title: 'Post only' },
] as const satisfies readonly { readonly id: TicketKind; readonly title: string }[];

const holds = [
  { value: 'GTC', text: 'Until cancelled (GTC)' },
  { value: 'IOC', text: 'At once, cancel the rest (IOC)' },
  { value: 'FOK', text: 'All at once or nothing (FOK)' },
] as const satisfies readonly { readonly value: TimeInForce; readonly text: string }[];

const stpModes = [
  { value: '', text: 'May trade with own orders' },
  { value: 'cancel_maker', text: 'Cancel the resting order' },
  { value: 'cancel_taker', text: 'Cancel the new order' },
  { value: 'cancel_both', text: 'Cancel both' },
] as const satisfies readonly { readonly value: StpMode; readonly text: string }[];

interface FieldsProps {
  readonly pair: Pair;
  readonly checked: CheckedTicket;
  readonly units: PairUnits;
}

/** Price, and quantity or amount. */
function AmountFields({ pair, checked }: FieldsProps) {
  const { kind, isByAmount, price, quantity, amount } = ticket.value;
  const isMarket = kind === 'market';
  const turn = isMarket ? (
    <button type="button" class="link-button" onClick={() => changeTicket({ isByAmount: !isByAmount })}>
      {isByAmount ? `by ${pair.baseAsset}` : `by ${pair.quoteAsset}`}
    </button>
  ) : null;
  return (
    <>
      {isMarket ? null : (
        <Field
          label="Price"
          name="price"
          inputMode="decimal"
          value={price}
          unit={pair.quoteAsset}
          fault={checked.faults.price}
          onInput={(text) => changeTicket({ price: text })}
        />
      )}
      {isMarket && isByAmount ? (
        <Field
          label="Amount"
          name="quantity"
          inputMode="decimal"
          value={amount}
          unit={pair.quoteAsset}
          aside={turn}
          fault={checked.faults.amount}
          onInput={(text) => changeTicket({ amount: text })}
        />
      ) : (
        <Field
          label="Quantity"
          name="quantity"
          inputMode="decimal"
          value={quantity}
          unit={pair.baseAsset}
          aside={turn}
          fault={checked.faults.quantity}
          onInput={(text) => changeTicket({ quantity: text })}
        />
      )}
    </>
  );
}

/** Takes a share of what is free into the form. */
function takeShare(share: bigint, pair: Pair, units: PairUnits, best: bigint | null): void {
  const { side, kind, isByAmount, price } = ticket.value;
  const isBuy = side === 'BUY';
  const scale = isBuy ? units.quoteScale : units.baseScale;
  const free = typed(balances.value?.get(isBuy ? pair.quoteAsset : pair.baseAsset)?.free ?? '0', scale) ?? 0n;
  if (kind === 'market' && isBuy) {
    changeTicket({ isByAmount: true, amount: plainText((free * share) / 100n, units.quoteScale) });
    return;
  }
  const limit = kind === 'market' ? best : typed(price, units.priceDecimals);
  const lots = lotsOfShare({ side, price: limit }, share, free, units);
  changeTicket({
    isByAmount: kind === 'market' ? false : isByAmount,
    quantity: plainText(lots, units.quantityDecimals),
  });
}

function ShareSlider({
  pair,
  units,
  best,
}: {
  readonly pair: Pair;
  readonly units: PairUnits;
  readonly best: bigint | null;
}) {
  const [share, setShare] = useState(0);
  const { side, kind } = ticket.value;
  useEffect(() => setShare(0), [side, kind, pair.symbol]);
  const take = (value: number): void => {
    setShare(value);
    takeShare(BigInt(value), pair, units, best);
  };
  return (
    <div class="shares">
      <input
        type="range"
        class="share-slider"
        min="0"
        max="100"
        step="1"
        value={share}
        aria-label="Share of what is free, percent"
        onInput={(event) => take(Number(event.currentTarget.value))}
      />
      <div class="share-marks">
        {[25, 50, 75, 100].map((value) => (
          <button key={value} type="button" class="link-button" onClick={() => take(value)}>
            {value} %
          </button>
        ))}
      </div>
    </div>
  );
}

function FreeLine({ pair }: { readonly pair: Pair }) {
  const asset = ticket.value.side === 'BUY' ? pair.quoteAsset : pair.baseAsset;
  return (
    <div class="preview-line">
      <span class="soft">Free</span>
      <span>
        <NumberText value={balances.value?.get(asset)?.free ?? (session.value === null ? null : '0')} /> {asset}
      </span>
    </div>
  );
}

interface FarDialogProps {
  readonly percent: bigint;
  readonly onClose: () => void;
  readonly onSend: () => void;
}

const FarDialog = ({ percent, onClose, onSend }: FarDialogProps) => (
  <Dialog
    title="Far from the market"
    onClose={onClose}
    foot={
      <>
        <Button onClick={onClose}>Back</Button>
        <Button kind="primary" onClick={onSend}>
          Place it anyway
        </Button>
      </>
    }
  >
    <p>
      This order may {ticket.value.side === 'BUY' ? 'buy' : 'sell'} {String(percent)} % worse than the best price there
      is.
    </p>
  </Dialog>
);

/** B and S begin an order, Esc leaves the form. */
function useKeys(form: { readonly current: HTMLFormElement | null }): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const isTyping =
        event.target instanceof Element && event.target.closest('input, select, textarea, dialog') !== null;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Escape' && form.current?.contains(document.activeElement) === true) {
        (document.activeElement as HTMLElement).blur();
      }
      const side = event.key.toLowerCase() === 'b' ? 'BUY' : event.key.toLowerCase() === 's' ? 'SELL' : null;
      if (side === null || isTyping) return;
      event.preventDefault();
      changeTicket({ side });
      form.current?.querySelector<HTMLInputElement>('input[name=quantity]')?.focus();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [form]);
}

/** The form of an order. DEC-WEB-10, DEC-WEB-11. */
export function TicketPanel({ pair }: { readonly pair: Pair }) {
  const form = useRef<HTMLFormElement>(null);
  const [far, setFar] = useState<bigint | null>(null);
  const [isSending, setSending] = useState(false);
  useKeys(form);
  const { side, kind, timeInForce, stpMode } = ticket.value;
  const isBuy = side === 'BUY';
  const fees = useFees(pair, isBuy);
  const units = unitsOf(pair, fees.rates);
  const view = openBookView.value?.symbol === pair.symbol ? openBookView.value : null;
  const opposing = (isBuy ? view?.asks : view?.bids) ?? noLevels;
  const best = opposing[0] === undefined ? null : BigInt(opposing[0]);
  const given = balances.value?.get(isBuy ? pair.quoteAsset : pair.baseAsset) ?? null;
  const checked = checkTicket(ticket.value, { pair, units, opposing, given, tokenFees: fees.tokenFees });
  const send = async (): Promise<void> => {
    setFar(null);
    setSending(true);
    try {
      tellPlaced(await placeOrder(pair.symbol, checked.draft, units, stpMode), pair.baseAsset);
      changeTicket({ quantity: '', amount: '' });
    } catch (error) {
      say(reasonOf(error), 'bad');
      // What the account may do, and what is free, may have changed meanwhile.
      void readAccount();
    }
    setSending(false);
  };
  const submit = (): void => {
    const percent = percentOff(checked.draft, checked.cost, best);
    if (percent > 0n) setFar(percent);
    else void send();
  };
  return (
    <section class="pane ticket-panel" aria-label="Place an order">
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          if (checked.isComplete && !isSending) submit();
        }}
      >
        <fieldset class="side-choice" aria-label="Side">
          <button type="button" class="buy" aria-pressed={isBuy} onClick={() => changeTicket({ side: 'BUY' })}>
            Buy
          </button>
          <button type="button" class="sell" aria-pressed={!isBuy} onClick={() => changeTicket({ side: 'SELL' })}>
            Sell
          </button>
        </fieldset>
        <Tabs label="Kind of order" tabs={kinds} chosen={kind} onChoose={(id) => changeTicket({ kind: id })} />
        <FreeLine pair={pair} />
        <AmountFields pair={pair} checked={checked} units={units} />
        <ShareSlider pair={pair} units={units} best={best} />
        {kind === 'limit' ? (
          <ChoiceField
            label="Holds"
            value={timeInForce}
            choices={holds}
            onChoose={(value) => changeTicket({ timeInForce: value })}
          />
        ) : null}
        <ChoiceField
          label="Self-trades"
          value={stpMode}
          choices={stpModes}
          onChoose={(value) => changeTicket({ stpMode: value })}
        />
        <Preview pair={pair} draft={checked.draft} cost={checked.cost} units={units} tokenFees={fees.tokenFees} />
        {session.value === null ? null : <FeeTokenSwitch {...fees} />}
        {session.value === null ? (
          <Button kind="primary" onClick={openSignIn}>
            Sign in to trade
          </Button>
        ) : (
          <Button kind={isBuy ? 'buy' : 'sell'} type="submit" disabled={!checked.isComplete || isSending}>
            {isBuy ? 'Buy' : 'Sell'} {pair.baseAsset}
          </Button>
        )}
        <p class="keys-hint">
          <kbd>B</kbd> buy <kbd>S</kbd> sell <kbd>Esc</kbd> leave
        </p>
      </form>
      {far === null ? null : <FarDialog percent={far} onClose={() => setFar(null)} onSend={() => void send()} />}
    </section>
  );
}
