import { ClientOrderId } from '#model/client-order-id.ts';
import type { Command } from '#model/command.ts';
import type { ContractListing } from '#model/contract.ts';
import type { OrderKind, Side } from '#model/order.ts';
import { as, type AssetId, type Balance, type SymbolId } from '#model/units.ts';
import type { WalletRules } from '#model/wallet.ts';
import { bitcoinTerms } from '../bitcoin-contract.ts';
import { type KeyName, type Reply, startTestGateway, type TestGateway } from './gateway-harness.ts';

/*
 * An exchange that trades BTC_USDT: a contract is 0.0001 BTC, a tick 0.1 USDT, and USDT has nine decimals. SVC_USDT is
 * listed too, and paused.
 */

const prefix = '/api/v1/contract';
const assets = { USDT: as<AssetId>(0), BTC: as<AssetId>(1), SVC: as<AssetId>(2) };
const usdt = (coins: number): Balance => as<Balance>(BigInt(coins) * 1_000_000_000n);
/** The pair BTCUSDT is symbol 0. */
export const bitcoin = as<SymbolId>(1);

/** What BTC_USDT is listed with. */
export const listedTerms: ContractListing = {
  ...bitcoinTerms,
  base: assets.BTC,
  settle: assets.USDT,
  tiers: [
    { maxLots: as(50_000), maintenancePpm: 4000, initialPpm: 10_000, maxLeverage: 100 },
    { maxLots: as(4_500_000), maintenancePpm: 50_000, initialPpm: 100_000, maxLeverage: 10 },
  ],
};

/** Rules of a wallet in which USDT can be moved between spot and futures. */
export const transferableWallet: WalletRules = {
  valuedIn: assets.USDT,
  largeDeposit: usdt(1_000_000),
  dailyCaps: [usdt(1), usdt(10), usdt(100), usdt(1000)],
  riskHoldAbove: null,
  fourEyesAbove: null,
  adjustFourEyesAbove: null,
  newAddressDelayMs: 0,
  waitMs: 0,
  transferable: [assets.USDT],
  dustBelow: usdt(1),
  dustCallMax: usdt(10),
  dustFeePpm: 0,
};

/** An exchange of contracts and the orders of its accounts. Prices are in ticks. */
export interface FuturesDesk {
  readonly gate: TestGateway;
  /** @throws TypeError if the engine refuses. */
  run(command: Command): Promise<void>;
  order(who: KeyName, side: Side, lots: number, price: number, kind?: OrderKind): Promise<void>;
  /** Tells the index of BTC_USDT in USDT. */
  index(price: number): Promise<void>;
  /** Moves the clock to so many seconds after the start. */
  at(seconds: number): void;
  /** Asks a path under /api/v1/contract. */
  ask(path: string): Promise<Reply>;
  /** The data of an answer that succeeded. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at, member by member, by tests
  data(path: string): Promise<any>;
}

/** Lists the contracts, fills the insurance fund, and gives everybody 100,000 USDT in the futures wallet. */
export async function startFuturesDesk(): Promise<FuturesDesk> {
  const gate = await startTestGateway({ settings: { rateLimits: false } });
  const { exchange, accounts } = gate;
  const start = exchange.clock.time;
  const run = async (command: Command): Promise<void> => {
    const { events } = await exchange.submit(command);
    const refusal = events.find(({ kind }) => kind === 'commandRefused' || kind === 'orderRefused');
    if (refusal !== undefined) throw new TypeError(`${command.kind} was refused: ${JSON.stringify(refusal)}`);
  };
  const ask = (path: string): Promise<Reply> => gate.send('GET', `${prefix}/${path}`);
  await run({ kind: 'configureWallet', rules: transferableWallet });
  await run({ kind: 'configureContract', contract: listedTerms });
  await run({
    kind: 'configureContract',
    contract: { ...listedTerms, name: 'SVC_USDT', base: assets.SVC, state: 'paused' },
  });
  await run({ kind: 'fundInsurance', contract: bitcoin, amount: usdt(500_000) });
  for (const account of Object.values(accounts)) {
    const terms = { from: 'spot', to: 'futures', asset: assets.USDT, amount: usdt(100_000) } as const;
    await run({ kind: 'transferFunds', account, ...terms, clientTranId: null });
  }
  return {
    gate,
    run,
    ask,
    order: (who, side, lots, price, kind = 'limit') =>
      run({
        kind: 'placeOrder',
        account: accounts[who],
        order: {
          symbol: bitcoin,
          side,
          kind,
          price: as(price),
          quantity: as(lots),
          budget: null,
          clientOrderId: ClientOrderId.of(null),
          stpMode: 'none',
        },
      }),
    index: (price) =>
      run({ kind: 'updateIndices', prices: [{ contract: bitcoin, price: Math.round(price * 100_000_000) }] }),
    at: (seconds) => {
      exchange.clock.time = start + seconds * 1000;
    },
    data: async (path) => {
      const { status, body } = await ask(path);
      if (status !== 200 || body.success !== true) throw new TypeError(`${path} answered ${JSON.stringify(body)}`);
      return body.data;
    },
  };
}
