import { signal } from '@preact/signals';
import type { OrderType, Side } from '#web/data/orders.ts';

/** Kinds of orders in the form. */
export type TicketKind = 'limit' | 'market' | 'postOnly';
/** How long a limit order holds. */
export type TimeInForce = 'GTC' | 'IOC' | 'FOK';
/** What happens when an order would meet one of the same account; empty: they trade. */
export type StpMode = '' | 'cancel_maker' | 'cancel_taker' | 'cancel_both';

/** What the form of an order holds, as it was typed. */
export interface Ticket {
  readonly side: Side;
  readonly kind: TicketKind;
  readonly timeInForce: TimeInForce;
  readonly stpMode: StpMode;
  readonly price: string;
  readonly quantity: string;
  /** Of a market order: in the quote asset. */
  readonly amount: string;
  readonly isByAmount: boolean;
}

/** The form as it begins. */
export const emptyTicket: Ticket = {
  side: 'BUY',
  kind: 'limit',
  timeInForce: 'GTC',
  stpMode: '',
  price: '',
  quantity: '',
  amount: '',
  isByAmount: false,
};

/** The form of the pair that is looked at. */
export const ticket = signal<Ticket>(emptyTicket);

/** Changes some of the form. */
export function changeTicket(changes: Partial<Ticket>): void {
  ticket.value = { ...ticket.value, ...changes };
}

/** Takes a price into the form. */
export function choosePrice(price: string): void {
  changeTicket(ticket.value.kind === 'market' ? { price, kind: 'limit' } : { price });
}

/** The type of the order that a form makes. */
export function typeOf({ kind, timeInForce }: Ticket): OrderType {
  if (kind === 'market') return 'MARKET';
  if (kind === 'postOnly') return 'LIMIT_MAKER';
  return timeInForce === 'IOC' ? 'IMMEDIATE_OR_CANCEL' : timeInForce === 'FOK' ? 'FILL_OR_KILL' : 'LIMIT';
}
