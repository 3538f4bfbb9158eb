import { monotonicClock } from '#base/clock.ts';
import { BourseError, UnknownOutcome } from '#client/bourse-error.ts';
import type { AnswerOf, MembersOf } from '#client/endpoint-calls.ts';
import type { CallMembers, EndpointId } from '#client/request-target.ts';
import type { Rest } from '#client/rest.ts';
import { isNotTakenUp } from '#client/read-answer.ts';
import { randomLetters } from '#client/sign-text.ts';

/*
 * Orders, cancels and withdrawals of which no answer came. They are never sent again blindly: they carry an id of the
 * client's, and the exchange is asked for it.
 */

/** A request may be dated so far ahead of the exchange's clock, and so is taken that much longer. */
const aheadMs = 1000;
const firstPauseMs = 100;
const longestPauseMs = 2000;
const unknownOrder = -2011;
/** What client order ids may be at most, less the prefix. */
const idLength = 20;

/** Asks once; `null`: it is not there. A refusal that is answered is that of the call. */
type Find<Found> = () => Promise<Found | BourseError | null>;

/** What is looked for. */
interface Search<Found> {
  readonly endpoint: EndpointId;
  readonly clientId: string;
  /** The error by which the outcome became unknown. */
  readonly lost: BourseError;
  readonly find: Find<Found>;
}

/** What asking once tells. */
type Asked<Found> =
  | { readonly kind: 'found'; readonly found: Found }
  /** The call itself was refused. */
  | { readonly kind: 'refused'; readonly error: BourseError }
  /** It was not carried out, and will not be. */
  | { readonly kind: 'absent' }
  /** It may still come; `error`: the exchange could not be asked. */
  | { readonly kind: 'unknown'; readonly error: BourseError | null };

/** Calls that change what money does, made once whatever becomes of requests and answers. DEC-KIT-87. */
export class FindOutcome {
  readonly #rest: Rest;

  constructor(rest: Rest) {
    this.#rest = rest;
  }

  /** Places an order under the client order id that it has, or one of the client's making. */
  placeOrder(order: MembersOf<'placeOrder'>): Promise<AnswerOf<'placeOrder'>> {
    const named = { ...order, newClientOrderId: order?.newClientOrderId || this.#newId() };
    const { symbol, newClientOrderId: clientId } = named;
    return this.#once('placeOrder', named, clientId, async () => {
      const found = await this.#orderOf(symbol, clientId);
      if (found === null) return null;
      const { orderId, orderListId, price, origQty, type, side, stpMode, time } = found;
      return { symbol, orderId, orderListId, price, origQty, type, side, stpMode, transactTime: time };
    });
  }

  /** Places orders as a batch, each under an id of its own. */
  async placeOrders({ batchOrders, ...others }: MembersOf<'placeOrders'>): Promise<AnswerOf<'placeOrders'>> {
    if (!Array.isArray(batchOrders)) throw new TypeError('placeOrders: batchOrders must be a list of orders');
    const orders = (batchOrders as readonly MembersOf<'placeOrder'>[]).map((order) => ({
      ...order,
      newClientOrderId: order.newClientOrderId || this.#newId(),
    }));
    const ids = orders.map(({ newClientOrderId }) => newClientOrderId);
    const members = { ...others, batchOrders: orders };
    return this.#once('placeOrders', members, ids.join(','), async () => {
      const found = await Promise.all(
        orders.map(({ symbol, newClientOrderId }) => this.#orderOf(symbol, newClientOrderId)),
      );
      // A batch is carried out as a whole: what is not there beside others was refused.
      if (found.every((order) => order === null)) return null;
      return found.map((order, index) => {
        const newClientOrderId = ids[index] as string;
        if (order === null) return { newClientOrderId, code: unknownOrder, msg: 'It was refused.' };
        const { symbol, orderId, orderListId } = order;
        return { symbol, orderId, orderListId, newClientOrderId };
      });
    });
  }

  /** Cancels an order; sent again where no answer came, because a second cancel does no harm. */
  async cancelOrder(members: MembersOf<'cancelOrder'>): Promise<AnswerOf<'cancelOrder'>> {
    const { symbol, orderId, origClientOrderId, newClientOrderId } = members ?? {};
    const clientId = origClientOrderId ?? orderId ?? '';
    return this.#once('cancelOrder', members, clientId, async () => {
      let refusal: BourseError;
      try {
        return (await this.#rest.call('cancelOrder', members)) as AnswerOf<'cancelOrder'>;
      } catch (error) {
        if (!isUnknownOrder(error)) throw error;
        refusal = error;
      }
      const order = await unlessUnknown(this.#rest.call('order', { symbol, orderId, origClientOrderId }));
      if (order === null) return refusal;
      const { status, ...found } = order as AnswerOf<'order'>;
      if (status !== 'CANCELED' && status !== 'PARTIALLY_CANCELED') return refusal;
      const { price, origQty, executedQty, cummulativeQuoteQty, timeInForce, type, side } = found;
      return {
        ...{ symbol, origClientOrderId: found.clientOrderId, orderId: found.orderId },
        ...{ clientOrderId: newClientOrderId ?? null, price, origQty, executedQty, cummulativeQuoteQty },
        ...{ status, timeInForce, type, side },
      } as AnswerOf<'cancelOrder'>;
    });
  }

  /** Asks for a withdrawal under the id that it has, or one of the client's making. */
  withdraw(members: MembersOf<'withdraw'>): Promise<AnswerOf<'withdraw'>> {
    const named = { ...members, withdrawOrderId: members?.withdrawOrderId || this.#newId() };
    const { coin, withdrawOrderId } = named;
    return this.#once('withdraw', named, withdrawOrderId, async () => {
      const latest = (await this.#rest.call('withdrawals', { coin })) as AnswerOf<'withdrawals'>;
      const found = latest.find((each) => each.withdrawOrderId === withdrawOrderId);
      return found === undefined ? null : { id: found.id };
    });
  }

  readonly #newId = (): string => `${this.#rest.options.orderPrefix}${randomLetters(idLength)}`;

  async #orderOf(symbol: string, origClientOrderId: string): Promise<AnswerOf<'order'> | null> {
    const found = await unlessUnknown(this.#rest.call('order', { symbol, origClientOrderId }));
    return found as AnswerOf<'order'> | null;
  }

  async #once<Found>(endpoint: EndpointId, members: CallMembers, clientId: string, find: Find<Found>): Promise<Found> {
    try {
      return (await this.#rest.call(endpoint, members)) as Found;
    } catch (error) {
      if (!(error instanceof BourseError && (error.isLost || isNotTakenUp(error)))) throw error;
      return this.#search({ endpoint, clientId, lost: error, find });
    }
  }

  /**
   * Asks until it is known. Once the exchange's clock has passed the window of the request, whatever is still under way
   * will be refused: what is not there then never will be.
   * @throws BourseError: it was not carried out; UnknownOutcome: the time is over, or the exchange cannot be asked
   */
  async #search<Found>({ endpoint, clientId, lost, find }: Search<Found>): Promise<Found> {
    const { time, options, pauses } = this.#rest;
    const certainAt = time.now() + options.recvWindow + aheadMs;
    const end = monotonicClock.now() + options.outcomeWaitMs;
    const parts = { endpoint, status: lost.status, code: lost.code };
    const unknown = (cause: unknown): UnknownOutcome =>
      new UnknownOutcome({ ...parts, detail: `no answer tells what became of ${clientId}`, cause }, clientId);
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
      const asked = await this.#ask(find, certainAt, lost);
      if (asked.kind === 'found') return asked.found;
      if (asked.kind === 'refused') throw asked.error;
      if (asked.kind === 'absent') {
        if (!lost.isLost) throw lost;
        throw new BourseError({ ...parts, detail: 'it was not carried out: nobody got it', cause: lost });
      }
      const isHopeless = asked.error !== null && !asked.error.isLost;
      if (isHopeless || monotonicClock.now() + pauseMs > end || pauses.isOver) throw unknown(asked.error ?? lost);
      await pauses.wait(pauseMs);
    }
  }

  /** Asks once what became of it. */
  async #ask<Found>(find: Find<Found>, certainAt: number, lost: BourseError): Promise<Asked<Found>> {
    try {
      // Of what the exchange did not take up nothing is under way.
      const isCertain = !lost.isLost || (this.#rest.time.now() >= certainAt && (await this.#serverTime()) >= certainAt);
      const found = await find();
      if (found instanceof BourseError) return { kind: 'refused', error: found };
      if (found !== null) return { kind: 'found', found };
      return isCertain ? { kind: 'absent' } : { kind: 'unknown', error: null };
    } catch (error) {
      if (!(error instanceof BourseError)) throw error;
      return { kind: 'unknown', error };
    }
  }

  async #serverTime(): Promise<number> {
    return ((await this.#rest.call('serverTime')) as AnswerOf<'serverTime'>).serverTime;
  }
}

const isUnknownOrder = (error: unknown): error is BourseError =>
  error instanceof BourseError && error.code === unknownOrder;

/** What is answered; `null`: there is no such order. */
async function unlessUnknown(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (isUnknownOrder(error)) return null;
    throw error;
  }
}
