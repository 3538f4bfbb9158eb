import { useState } from 'preact/hooks';
import { pairsByName } from '#web/data/markets.ts';
import type { Order } from '#web/data/orders.ts';
import { reasonOf } from '#web/data/refusal.ts';
import { Button } from '#web/design/button.tsx';
import { Dialog } from '#web/design/dialog.tsx';
import { Field } from '#web/design/field.tsx';
import { say } from '#web/design/toasts.tsx';
import { typed, unitsOf } from '#web/pages/trade/pair-units.ts';
import { MovedHalf, moveOrder } from '#web/pages/trade/place-order.ts';

interface MoveDialogProps {
  readonly order: Order;
  /** The price to begin with. */
  readonly price: string;
  readonly onClose: () => void;
}

/** Moves an order to another price: says that this cancels it and places a new one, and asks. DEC-WEB-12. */
export function MoveDialog({ order, price, onClose }: MoveDialogProps) {
  const [text, setText] = useState(price);
  const [isSending, setSending] = useState(false);
  const pair = pairsByName.value.get(order.symbol);
  if (pair === undefined) return null;
  const units = unitsOf(pair, null);
  const value = typed(text, units.priceDecimals);
  const move = async (): Promise<void> => {
    if (value === null || value === 0n) return;
    setSending(true);
    try {
      const moved = await moveOrder(order, value, units);
      say(moved === null ? `Nothing was left to move.` : `Order of ${order.symbol} moved to ${text}.`, 'good');
    } catch (error) {
      say(error instanceof MovedHalf ? error.message : reasonOf(error), 'bad');
    }
    onClose();
  };
  return (
    <Dialog
      title="Move the order"
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Back</Button>
          <Button kind="primary" disabled={value === null || value === 0n || isSending} onClick={() => void move()}>
            Cancel and place again
          </Button>
        </>
      }
    >
      <p>
        The order at {order.price} is cancelled, and what is left of it is placed again as a new order, behind those
        that are at its price by then.
      </p>
      <Field
        label="New price"
        inputMode="decimal"
        value={text}
        unit={pair.quoteAsset}
        fault={value === null || value === 0n ? `A price with up to ${units.priceDecimals} decimals` : null}
        onInput={setText}
      />
    </Dialog>
  );
}
