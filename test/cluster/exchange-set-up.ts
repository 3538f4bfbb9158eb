import type { KeyPair } from '../crash/trading-client.ts';

/** Who trades: an account with a key of its own. */
export interface Trader extends KeyPair {
  readonly uid: number;
}

/** The pair that everybody trades. */
export const pair = { symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT' } as const;

/** What each account begins with. */
const credits = { BTC: '1000', USDT: '100000' } as const;

const assets = {
  USDT: { fullName: 'Tether', scale: 6, cap: '1000000000000', coinId: '128f589271cb4951b03e71e6323eb7be' },
  BTC: { fullName: 'Bitcoin', scale: 8, cap: '21000000', coinId: 'febc9973be4d4d53bb374476239eb219' },
} as const;

const walletRules = {
  valuedIn: 'USDT',
  largeDeposit: '100000',
  dailyCaps: ['1000', '10000', '100000', '1000000'],
  riskHoldAbove: null,
  fourEyesAbove: null,
  // One operator alone credits the accounts.
  adjustFourEyesAbove: null,
  newAddressDelayMs: 0,
  waitMs: 5000,
  transferable: ['USDT'],
  dustBelow: '5',
  dustCallMax: '50',
  dustFeePpm: 2000,
} as const;

const pairTerms = {
  ...{ base: pair.base, quote: pair.quote, priceDecimals: 2, quantityDecimals: 4 },
  ...{ minQuantity: '0.0001', minAmount: '1', minAmountMarket: '1', maxAmount: '1000000', maxAmountMarket: '100000' },
  orderKinds: ['limit', 'postOnly', 'immediateOrCancel', 'fillOrKill', 'market'],
  ...{ sideType: 'all', apiTradingAllowed: true, makerFeePpm: 0, takerFeePpm: 0, collarPpm: 50_000 },
  ...{ bidMultiplierUpPpm: 1_200_000, askMultiplierDownPpm: 800_000 },
  ...{ fullName: 'Bitcoin', contractAddress: '', specialTreatment: false },
} as const;

/** Calls the operator API of an exchange. @throws Error for whatever it refuses */
export type Ask = <Answer>(method: string, path: string, body?: unknown) => Promise<Answer>;

/** The operator API at this address. */
export function operatorAt(url: string, token: string): Ask {
  return async <Answer>(method: string, path: string, body?: unknown) => {
    const reply = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
    return JSON.parse(text) as Answer;
  };
}

/** Lists the pair, its assets and the rules of the wallet. */
export async function listPair(ask: Ask): Promise<void> {
  for (const [code, terms] of Object.entries(assets)) await ask('PUT', `/v1/assets/${code}`, terms);
  await ask('PUT', '/v1/wallet/rules', walletRules);
  await ask('PUT', `/v1/pairs/${pair.symbol}`, pairTerms);
  await ask('PATCH', `/v1/pairs/${pair.symbol}`, { status: 'online' });
}

/** Makes a new production exchange one where these many accounts can trade a pair. Answers them. */
export async function setUpExchange(url: string, token: string, names: readonly string[]): Promise<readonly Trader[]> {
  const ask = operatorAt(url, token);
  await listPair(ask);
  for (const [asset, amount] of Object.entries(credits)) {
    const all = String(Number(amount) * names.length);
    const brought = { house: 'capital', asset, amount: all, kind: 'capitalIn', reason: 'What accounts begin with.' };
    await ask('POST', '/v1/adjustments', brought);
  }
  return Promise.all(names.map((name) => openAccount(ask, name)));
}

async function openAccount(ask: Ask, name: string): Promise<Trader> {
  const { uid } = await ask<{ uid: number }>('POST', '/v1/accounts', { name, class: 'user', kycLevel: 2 });
  const permissions = ['SPOT_ACCOUNT_READ', 'SPOT_DEAL_READ', 'SPOT_DEAL_WRITE'];
  const key = await ask<{ accessKey: string; secretKey: string }>('POST', `/v1/accounts/${uid}/api-keys`, {
    ...{ note: 'trades', permissions, ips: [] },
  });
  for (const [asset, amount] of Object.entries(credits))
    await ask('POST', '/v1/adjustments', { uid, asset, amount, kind: 'credit', reason: 'What accounts begin with.' });
  return { uid, apiKey: key.accessKey, secretKey: key.secretKey };
}
