// Orders, refusals and lost answers. node examples/client/trade.mjs
import { BourseClient, BourseError } from 'bourse/client';
import { startBourse } from 'bourse/testing';

const exchange = await startBourse({ seed: '7' });
const { apiKey, secretKey } = exchange.accounts.alice;
const client = new BourseClient({ baseUrl: exchange.baseUrl, wsUrl: exchange.wsUrl, apiKey, secretKey });
try {
  const { symbols } = await client.exchangeInfo({ symbol: 'BTCUSDT' });
  console.log(`prices have ${symbols[0].quotePrecision} decimals`);

  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '50000' };
  const { orderId } = await client.placeOrder(order);
  const { status } = await client.order({ symbol: 'BTCUSDT', orderId });
  console.log(`the order is ${status}`);

  // A refusal: nothing happened.
  try {
    await client.placeOrder({ ...order, quantity: '1000' });
  } catch (error) {
    if (!(error instanceof BourseError)) throw error;
    console.log(`${error.endpoint} was refused with ${error.status}, ${error.code}`);
  }

  // The next order is taken, and its answer is lost. It is asked for, not sent again.
  await exchange.operator.addFault({
    match: { path: '/api/v3/order', method: 'POST', nth: 1 },
    fault: { kind: 'drop', at: 'answer' },
  });
  const found = await client.placeOrder({ ...order, price: '49000' });
  const open = await client.openOrders({ symbol: 'BTCUSDT' });
  console.log(`${open.length} orders are open, one of them at ${found.price}`);
} finally {
  await client.close();
  await exchange.close();
}
