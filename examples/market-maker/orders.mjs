import { UnknownOutcome } from './rest.mjs';

const path = '/api/v3/order';
const unknownOrder = -2011;

/**
 * Places an order once, whatever becomes of requests and answers. `order.newClientOrderId` is a name that no other
 * order ever had: the same name with the same parameters answers the first order again.
 */
export async function placeOrder(rest, order) {
  try {
    return await rest.signed('POST', path, order, { isRepeatable: true });
  } catch (error) {
    if (!(error instanceof UnknownOutcome)) throw error;
    // What is still under way is refused once its recvWindow has passed: an order that is not there then never will be.
    await rest.wait(rest.recvWindow);
    const found = await findOrder(rest, order.symbol, order.newClientOrderId);
    if (found === null) throw error;
    return found;
  }
}

/** Cancels an order by its name. `null`: it is not open, because it was filled or cancelled, or never was. */
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
