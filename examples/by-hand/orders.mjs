import { UnknownOutcome } from './rest.mjs';

const path = '/api/v3/order';
const unknownOrder = -2011;

const aheadMs = 1000; // A request may be dated that far ahead, and so is taken that much longer.

/**
 * Places an order once, whatever becomes of requests and answers. `order.newClientOrderId` is a name that no other
 * order ever had: the same name with the same parameters answers the first order again. When it throws, no order of
 * that name is there or comes later, unless the exchange could not be asked.
 */
export async function placeOrder(rest, order) {
  try {
    return await rest.signed('POST', path, order, { isRepeatable: true });
  } catch (error) {
    // A repeat may be refused although the first try, which nobody answered, is carried out a moment later.
    if (!(error instanceof UnknownOutcome) && !error.isAfterUnknown) throw error;
    // What is still under way is refused then: an order that is not there by now never will be.
    await rest.wait(rest.recvWindow + aheadMs);
    const found = await findOrder(rest, order.symbol, order.newClientOrderId);
    if (found === null) throw error;
    return found;
  }
}

/**
 * Cancels an order by its name. `null`: it is not open, because it was filled or cancelled, or is not there. Only after
 * `placeOrder` has ended does that mean that it will not be there either.
 */
export function cancelOrder(rest, symbol, origClientOrderId) {
  const parameters = { symbol, origClientOrderId };
  return orNull(rest.signed('DELETE', path, parameters, { isRepeatable: true }));
}

/** The order of that name, open or closed; `null`: there is none. */
export function findOrder(rest, symbol, origClientOrderId) {
  return orNull(rest.signed('GET', path, { symbol, origClientOrderId }));
}

async function orNull(answer) {
  try {
    return await answer;
  } catch (error) {
    if (error.code === unknownOrder) return null;
    throw error;
  }
}
