import { setTimeout as sleep } from 'node:timers/promises';
import { OwnAccount } from './own-account.mjs';
import { openStream } from './stream.mjs';

const keyPath = '/api/v3/userDataStream';
const halfAnHourMs = 30 * 60_000; // A listen key ends after an hour.
const channels = ['orders', 'deals', 'account'].map((name) => `spot@private.${name}.v3.api.pb`);

/**
 * Keeps balances, and orders of a pair, of the account whose keys `rest` has; `symbol` may name up to five, separated
 * by commas. `onFill` gets each deal that is pushed; those made while the connection was lost are asked for with GET
 * myTrades. `account` is what is kept.
 */
export function followAccount({
  rest,
  wsUrl,
  symbol,
  onChange = () => {},
  onFill = () => {},
  renewEveryMs = halfAnHourMs,
  account = new OwnAccount(),
}) {
  const pairs = symbol.split(',');
  const counted = { connections: 0, keys: 0, renewals: 0 };
  let listenKey = null;
  let round = 0;

  async function start() {
    round += 1;
    const own = round;
    while (own === round) {
      try {
        const orders = await rest.signed('GET', '/api/v3/openOrders', { symbol });
        const { balances } = await rest.signed('GET', '/api/v3/account');
        if (own !== round) return;
        account.start(orders, balances);
        return onChange();
      } catch (error) {
        console.error(`No orders and balances: ${error.message}`);
      }
      await sleep(1000);
    }
  }

  const stream = openStream({
    url: async () => {
      if (listenKey === null) {
        ({ listenKey } = await rest.signed('POST', keyPath));
        counted.keys += 1;
      }
      return `${wsUrl}?encoding=json&listenKey=${listenKey}`;
    },
    channels,
    onSubscribed: () => {
      counted.connections += 1;
      account.restart();
      void start();
    },
    onPush: ({ symbol: pair, privateOrders, privateAccount, privateDeals }) => {
      if (privateAccount) account.takeBalance(privateAccount);
      // Orders and deals of all pairs are pushed, but only these pairs were asked for.
      if (privateOrders && pairs.includes(pair)) account.takeOrder(privateOrders, pair);
      if (privateDeals && pairs.includes(pair)) onFill(privateDeals);
      onChange();
    },
    onLost: ({ status }) => {
      round += 1;
      account.restart();
      if (status === 401) listenKey = null; // It ended, or somebody deleted it: the next connection takes a new one.
      onChange();
    },
  });

  const renewal = setInterval(async () => {
    const renewed = listenKey;
    if (renewed === null) return;
    try {
      await rest.signed('PUT', keyPath, { listenKey: renewed }, { isRepeatable: true });
      counted.renewals += 1;
    } catch (error) {
      // Refused: the key is gone, and its connection with it. Anything else: the next renewal is early enough.
      if (error.status === 400 && renewed === listenKey) listenKey = null;
      else console.error(`The listen key was not renewed: ${error.message}`);
    }
  }, renewEveryMs);

  return {
    account,
    stream,
    counted,
    /** Also ends the listen key: an account has at most 60. */
    async close() {
      clearInterval(renewal);
      stream.close();
      if (listenKey !== null) await rest.signed('DELETE', keyPath, { listenKey }).catch(() => {});
    },
  };
}
