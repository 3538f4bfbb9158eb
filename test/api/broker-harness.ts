import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { type Permission, permissions } from '#model/permission.ts';
import type { AccountId } from '#model/units.ts';
import { encode, keys, type Reply, sign } from './gateway-harness.ts';
import { startWalletHarness, type WalletHarness } from './wallet-harness.ts';
import type { TestGateway, TestGatewayOptions } from './gateway-harness.ts';

/** A sub-account of the harness's broker with a key that may do everything. */
export interface Customer {
  readonly name: string;
  readonly account: AccountId;
  readonly uid: string;
  readonly key: string;
  readonly secret: string;
}

/** How a call is sent: as the broker, unless a customer calls. */
export interface Calling {
  readonly by?: Customer;
  readonly key?: string;
}

/** A broker at work: an exchange with a wallet, and calls of the endpoints under /api/v3/broker. */
export interface BrokerHarness {
  readonly wallet: WalletHarness;
  readonly gate: TestGateway;
  /** With its parameters in the query. */
  get(path: string, parameters?: Record<string, string>, calling?: Calling): Promise<Reply>;
  remove(path: string, parameters?: Record<string, string>, calling?: Calling): Promise<Reply>;
  /** With its parameters in a JSON body, and time and signature in the query. */
  post(path: string, body?: Record<string, unknown>, calling?: Calling): Promise<Reply>;
  /** Opens a sub-account and makes a key of it, both through the API. */
  open(
    name: string,
    more?: { readonly password?: string; readonly permissions?: readonly Permission[] },
  ): Promise<Customer>;
  /** Moves money of the broker into a customer's spot wallet. */
  fund(customer: Customer, asset: string, amount: string): Promise<void>;
  /** Free and locked amounts of an asset. */
  balance(asset: string, calling?: Calling): Promise<readonly [string, string]>;
  close(): Promise<void>;
}

/** What brokers send as a password. */
export const md5 = (password: string): string => createHash('md5').update(password).digest('hex');

const base = '/api/v3/broker/';

/** Starts the harness; its broker has a million USDT. */
export async function startBrokerHarness(options: TestGatewayOptions = {}): Promise<BrokerHarness> {
  const wallet = await startWalletHarness(options);
  const { gate } = wallet;
  const signer = ({ by, key }: Calling) => ({
    key: by?.key ?? key ?? keys.broker,
    ...(by === undefined ? {} : { secret: by.secret }),
  });
  const send =
    (method: string) =>
    (path: string, parameters: Record<string, string> = {}, calling: Calling = {}): Promise<Reply> =>
      gate.signed(method, path.startsWith('/') ? path : base + path, parameters, signer(calling));
  const post: BrokerHarness['post'] = (path, body = {}, calling = {}) => {
    const { key, secret } = { secret: undefined, ...signer(calling) };
    const query = encode({ timestamp: String(gate.exchange.clock.time) });
    const text = JSON.stringify(body);
    return gate.send('POST', `${base}${path}?${query}&signature=${sign(query + text, secret)}`, {
      headers: { 'X-SVC-APIKEY': key, 'Content-Type': 'application/json' },
      body: text,
    });
  };
  const open: BrokerHarness['open'] = async (name, { password, permissions: given = permissions } = {}) => {
    const opened = await post('sub-account/virtualSubAccount', { subAccount: name, note: `of ${name}`, password });
    expect([name, opened.status, opened.body]).toMatchObject([name, 200, { code: '0' }]);
    const made = await post('sub-account/apiKey', { subAccount: name, note: 'all', permissions: given.join(',') });
    const found = await gate.exchange.queries.subAccounts.named(gate.accounts.broker, name);
    if (found === null) throw new TypeError(`${name} is not there`);
    const { apikey: key, secretKey: secret } = made.body;
    return { name, account: found.account, uid: String(found.uid), key, secret };
  };
  const get = send('GET');
  return {
    wallet,
    gate,
    get,
    remove: send('DELETE'),
    post,
    open,
    fund: async ({ name }, asset, amount) => {
      const terms = { toAccount: name, fromAccountType: 'SPOT', toAccountType: 'SPOT', asset, amount };
      expect((await post('sub-account/universalTransfer', terms)).status).toBe(200);
    },
    balance: async (asset, calling = {}) => {
      const { body } = await get('/api/v3/account', {}, calling);
      const found = body.balances.find((each: { asset: string }) => each.asset === asset);
      return [found?.free ?? '0', found?.locked ?? '0'];
    },
    close: () => wallet.close(),
  };
}
