import { expect } from 'vitest';
import type { AccountClass } from '#model/account.ts';
import type { Command } from '#model/command.ts';
import { allPermissions } from '#model/permission.ts';
import { rebateDayMs, rebateDayOf } from '#model/rebate.ts';
import { referCodeOf } from '#model/refer-code.ts';
import type { AccountId, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { HistoryStore } from '#history/history-store.ts';
import { keys, type Reply, secret, type TestGateway } from './gateway-harness.ts';
import { assets, startWalletHarness, units, type WalletHarness } from './wallet-harness.ts';

/** Somebody who was registered, with a key that may do everything. */
export interface Person {
  readonly account: AccountId;
  readonly uid: string;
  readonly key: string;
  readonly referCode: string;
  /** When the account was opened. */
  readonly at: number;
}

/** One side of a trade as GET myTrades tells it. */
export interface ToldTrade {
  readonly price: string;
  readonly qty: string;
  readonly quoteQty: string;
  readonly commission: string;
  readonly commissionAsset: 'BTC' | 'USDT' | 'SVC';
  readonly time: number;
  readonly isMaker: boolean;
}

export const day = rebateDayMs;
/** Decimals of what amounts are told in. */
export const scaleOf = { USDT: 9, BTC: 8, SVC: 8 } as const;

/** A decimal as a number of units of a scale. */
export function unitsOf(text: string, scale: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  expect(fraction.length).toBeLessThanOrEqual(scale);
  return BigInt(whole + fraction.padEnd(scale, '0'));
}
/** A number of units as a trimmed decimal. */
export function textOf(amount: bigint, scale: number): string {
  const digits = String(amount).padStart(scale + 1, '0');
  return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`.replace(/\.?0+$/, '');
}

/** The share of a commission: what is printed, in its asset, and its worth in USDT. DEC-SUB-05, DEC-SUB-21. */
export function shareOf(trade: ToldTrade, ppm: bigint) {
  const scale = scaleOf[trade.commissionAsset];
  const amount = (unitsOf(trade.commission, scale) * ppm) / 1_000_000n;
  return { amount, text: textOf(amount, scale), value: worthOf(trade, amount) };
}
/** What the token traded at last: see the harness of the wallet. */
const tokenPrice = '2';
/** Worth of an amount of the commission's asset, BTC at the price of the trade, in 10^-9 USDT, rounded down. */
function worthOf({ commissionAsset, price }: ToldTrade, amount: bigint): bigint {
  if (commissionAsset === 'USDT') return amount;
  return (amount * unitsOf(commissionAsset === 'BTC' ? price : tokenPrice, 9)) / 10n ** 8n;
}
/** The sum of a number of each trade, as USDT. */
export const usdtOf = (trades: readonly ToldTrade[], of: (trade: ToldTrade) => bigint): string =>
  textOf(
    trades.reduce((sum, trade) => sum + of(trade), 0n),
    scaleOf.USDT,
  );
/** Price times quantity of a trade. */
export const turnoverOf = ({ quoteQty }: ToldTrade): bigint => unitsOf(quoteQty, scaleOf.USDT);

/** An exchange with people who invited one another, behind HTTP. */
export interface RebateHarness {
  readonly wallet: WalletHarness;
  readonly gate: TestGateway;
  readonly history: HistoryStore;
  /** Opens an account with 1,000,000 USDT and 20 BTC. */
  register(name: string, more?: Registration): Promise<Person>;
  /** Bob, whom nobody invited, and somebody else trade BTC; `person` takes unless `isMaker`. */
  trade(person: Person, terms: TradeTerms): Promise<void>;
  /** Trades of somebody, newest first. */
  tradesOf(person: Person): Promise<readonly ToldTrade[]>;
  /** A signed GET below /api/v3/rebate/. */
  report(path: string, person: Person, parameters?: Record<string, string>): Promise<Reply>;
  /** Settles the day of a moment; the clock moves to `after` past its end. */
  settle(at: number, after: number): Promise<void>;
  close(): Promise<void>;
}
export interface Registration {
  readonly inviteCode?: string;
  readonly email?: string;
  readonly class?: AccountClass;
  readonly kycLevel?: number;
}
export interface TradeTerms {
  readonly side: 'BUY' | 'SELL';
  readonly quantity: string;
  readonly price: string;
  readonly isMaker?: boolean;
}

/** Starts the harness. Takers pay 0.05 %, makers 0.01 %. */
export async function startRebateHarness(): Promise<RebateHarness> {
  let history: HistoryStore | null = null;
  const wallet = await startWalletHarness({
    context: (context) => {
      history = context.history;
      return context;
    },
  });
  const { gate } = wallet;
  await gate.configure({ makerFeePpm: 100, takerFeePpm: 500 });
  const place = async (terms: Record<string, string>, key: string): Promise<void> => {
    const order = { symbol: 'BTCUSDT', type: 'LIMIT', ...terms };
    const { status, body } = await gate.signed('POST', '/api/v3/order', order, { key });
    expect([status, body]).toEqual([200, body]);
  };
  const register: RebateHarness['register'] = async (name, more = {}) => {
    const { inviteCode = null, email = null, kycLevel = 2 } = more;
    const person = { uid: null, name, class: more.class ?? 'user', kycLevel, simulated: false } as const;
    const command: Command = { kind: 'registerAccount', ...person, email, mobile: null, inviteCode };
    const { events, at } = await gate.exchange.submit(command);
    const opened = events.find((event) => event.kind === 'accountOpened')?.account;
    expect([name, events.filter(({ kind }) => kind === 'commandRefused')]).toEqual([name, []]);
    const { account, uid } = opened!;
    const key = `mx0${name}${'X'.repeat(15 - name.length)}`;
    const grant = { note: name, permissions: allPermissions, ips: [] };
    await wallet.run(
      { kind: 'creditFunds', account, asset: assets.USDT, amount: units('USDT', 1_000_000) },
      { kind: 'creditFunds', account, asset: assets.BTC, amount: units('BTC', 20) },
      { kind: 'createApiKey', account, accessKey: key, sealedSecret: secret, ...grant, unboundLifeMs: null },
    );
    return { account, uid: String(uid), key, referCode: referCodeOf(account), at };
  };
  return {
    wallet,
    gate,
    history: history as unknown as HistoryStore,
    register,
    trade: async (person, { side, quantity, price, isMaker = false }) => {
      const other = side === 'BUY' ? 'SELL' : 'BUY';
      const orders = [
        [{ side, quantity, price }, person.key],
        [{ side: other, quantity, price }, keys.bob],
      ] as const;
      for (const [terms, key] of isMaker ? orders : orders.toReversed()) await place(terms, key);
    },
    tradesOf: async ({ key }) => {
      const { body } = await gate.signed('GET', '/api/v3/myTrades', { symbol: 'BTCUSDT' }, { key });
      return (body as ToldTrade[]).toReversed();
    },
    report: (path, { key }, parameters = {}) => gate.signed('GET', `/api/v3/rebate/${path}`, parameters, { key }),
    settle: async (at, after) => {
      const start = rebateDayOf(as<TimestampMs>(at));
      gate.exchange.clock.time = Math.max(gate.exchange.clock.time, start + rebateDayMs + after);
      await wallet.run({ kind: 'settleRebates', day: start });
    },
    close: () => wallet.close(),
  };
}
