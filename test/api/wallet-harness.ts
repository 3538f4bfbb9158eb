import { expect } from 'vitest';
import { innerHouse } from '#model/account.ts';
import type { Command } from '#model/command.ts';
import { orderKinds } from '#model/order.ts';
import type { AssetId, Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { AssetNetwork, WalletRules } from '#model/wallet.ts';
import type { ChainControls } from '#custody/simulated/chain-controls.ts';
import { MemoryChainStorage } from '../ports/memory-chain-storage.ts';
import { openSimulatedCustody } from '#custody/simulated/simulated-custody.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import { type ChainSettlement, startSettlement } from '#custody/settlement/settlement.ts';
import {
  btcUsdt,
  keys,
  now,
  type Reply,
  startTestGateway,
  type TestGateway,
  type TestGatewayOptions,
} from './gateway-harness.ts';

/** Assets of the harness by name; DOG is on no network. */
export const assets = {
  USDT: as<AssetId>(0),
  BTC: as<AssetId>(1),
  SVC: as<AssetId>(2),
  XRP: as<AssetId>(3),
  DOG: as<AssetId>(4),
};
const scales = { USDT: 9, BTC: 8, SVC: 8, XRP: 6, DOG: 6 } as const;
export type AssetName = keyof typeof assets;

/** `1.5` USDT in its smallest unit. */
export const units = (asset: AssetName, coins: number): Balance =>
  as<Balance>((BigInt(Math.round(coins * 1e6)) * 10n ** BigInt(scales[asset])) / 1_000_000n);

/** Addresses of others: none of this exchange. */
export const outside = {
  ETH: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  TRX: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  BTC: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  XRP: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
} as const;
export const usdtContract = '0xdAC17F958D2ee523a2206206994597C13D831ec7';

type Place = Pick<AssetNetwork, 'network' | 'label' | 'contract' | 'scale' | 'minConfirm' | 'sharesAddress'>;
const places = {
  ETH: {
    network: 'ETH',
    label: 'Ethereum(ERC20)',
    contract: usdtContract,
    scale: 18,
    minConfirm: 12,
    sharesAddress: false,
  },
  TRX: { network: 'TRX', label: 'Tron(TRC20)', contract: outside.TRX, scale: 18, minConfirm: 20, sharesAddress: false },
  BTC: { network: 'BTC', label: 'BTC', contract: null, scale: 8, minConfirm: 2, sharesAddress: false },
  XRP: { network: 'XRP', label: 'XRP', contract: null, scale: 6, minConfirm: 1, sharesAddress: true },
} as const satisfies Record<string, Place>;

function networkOf(asset: AssetName, place: Place, [fee, min, max]: readonly [number, number, number]): AssetNetwork {
  return {
    ...place,
    asset: assets[asset],
    depositEnabled: true,
    withdrawEnabled: true,
    depositMin: units(asset, fee),
    withdrawFee: units(asset, fee),
    withdrawMin: units(asset, min),
    withdrawMax: units(asset, max),
    withdrawStep: as<Balance>(asset === 'USDT' ? 10n : 1n),
    depositDesc: null,
    depositTips: 'Play money. Never send real coins.',
    withdrawTips: null,
  };
}

/** Every asset on its networks, by both names. */
export const networks = {
  'USDT ETH': networkOf('USDT', places.ETH, [3, 10, 1_000_000]),
  'USDT TRX': networkOf('USDT', places.TRX, [1, 10, 1_000_000]),
  'BTC BTC': networkOf('BTC', places.BTC, [0.0001, 0.001, 10]),
  'XRP XRP': networkOf('XRP', places.XRP, [0.2, 20, 100_000]),
} as const;

/** Rules of the harness: KYC 2 may withdraw 100,000 USDT a day. */
export const rules: WalletRules = {
  valuedIn: assets.USDT,
  largeDeposit: units('USDT', 100_000),
  dailyCaps: [10_000, 100_000, 1_000_000, 2_000_000].map((cap) => units('USDT', cap)),
  riskHoldAbove: null,
  fourEyesAbove: null,
  adjustFourEyesAbove: null,
  newAddressDelayMs: 0,
  waitMs: 5000,
  transferable: [assets.USDT],
  dustBelow: units('USDT', 5),
  dustCallMax: units('USDT', 50),
  dustFeePpm: 2000,
};

/** What rules take a whole coin to be worth. */
export const referencePrice = (asset: AssetId, digits: bigint, decimals: number): Command => ({
  kind: 'setReferencePrice',
  asset,
  digits: as<Balance>(digits),
  decimals,
  validMs: 10 ** 12,
  reason: 'test',
});

/** An exchange with a wallet on simulated chains, behind HTTP. */
export interface WalletHarness {
  readonly gate: TestGateway;
  readonly chains: ChainControls;
  readonly settlement: ChainSettlement;
  /** Runs commands that must not be refused. */
  run(...commands: readonly Command[]): Promise<void>;
  get(path: string, parameters?: Record<string, string>, key?: string): Promise<Reply>;
  post(path: string, parameters?: Record<string, string>, key?: string): Promise<Reply>;
  remove(path: string, parameters?: Record<string, string>, key?: string): Promise<Reply>;
  /** Free and locked amounts of an asset. */
  balance(asset: AssetName, key?: string): Promise<readonly [string, string]>;
  /** Mines blocks and lets settlement look at the chains twice: once to see, once to act on it. */
  mine(network: string, blocks: number): Promise<void>;
  close(): Promise<void>;
}

const base = '/api/v3/capital/';
/** Trades one unit at a price, so that the asset has a value. */
async function trade(gate: TestGateway, symbol: string, price: string): Promise<void> {
  const terms = { symbol, type: 'LIMIT', quantity: '1', price };
  for (const side of ['SELL', 'BUY']) {
    const { status } = await gate.signed('POST', '/api/v3/order', { ...terms, side }, { key: keys.broker });
    expect(status).toBe(200);
  }
}

/** Starts the harness; `options` as for the gateway's. */
export async function startWalletHarness(options: TestGatewayOptions = {}): Promise<WalletHarness> {
  let clock = { now: () => now };
  const { custody, controls, close } = await openSimulatedCustody({
    storage: new MemoryChainStorage(),
    seed: 'wallet harness',
    clock: { now: () => clock.now() },
    blockMs: 3_600_000,
  });
  let opened: GatewayContext | null = null;
  const gate = await startTestGateway({
    ...options,
    settings: { rateLimits: false, ...options.settings },
    context: (context) => {
      clock = context.clock;
      opened = { ...context, custody };
      return options.context?.(opened) ?? opened;
    },
  });
  const { ingress, queries, monotonic } = opened as unknown as GatewayContext;
  const settlement = startSettlement({
    custody,
    ingress,
    queries,
    clock,
    monotonic,
    repeat: () => () => {},
    everyMs: 1000,
    notice: () => {},
    onTrouble: (what, error) => {
      throw new Error(what, { cause: error });
    },
  });
  const run: WalletHarness['run'] = async (...commands) => {
    for (const command of commands) {
      const { events } = await gate.exchange.submit(command);
      expect([command, ...events.filter((event) => event.kind === 'commandRefused')]).toEqual([command]);
    }
  };
  const asset = (code: 'XRP' | 'DOG'): Command => ({
    kind: 'configureAsset',
    asset: { code, fullName: `${code} coin`, scale: 6, cap: as<Balance>(10n ** 18n), coinId: '1'.repeat(32) },
  });
  const pair = (code: 'SVC' | 'XRP' | 'DOG'): Command => ({
    kind: 'configureSymbol',
    symbol: {
      ...btcUsdt,
      name: `${code}USDT`,
      base: assets[code],
      priceDecimals: 4,
      quantityDecimals: 2,
      orderKinds,
      bidMultiplierUpPpm: null,
      askMultiplierDownPpm: null,
      makerFeePpm: 0,
      takerFeePpm: 0,
    },
  });
  await run(
    asset('XRP'),
    asset('DOG'),
    pair('SVC'),
    pair('XRP'),
    pair('DOG'),
    { kind: 'configureFeeToken', token: assets.SVC, valuedIn: assets.USDT, discountPpm: 0 },
    ...Object.values(networks).map((network): Command => ({ kind: 'configureAssetNetwork', network })),
    { kind: 'creditFunds', account: innerHouse.dust, asset: assets.SVC, amount: units('SVC', 100_000) },
    { kind: 'configureWallet', rules },
  );
  await run(referencePrice(assets.BTC, 100n, 0));
  for (const code of ['SVC', 'XRP', 'DOG'] as const) {
    await run({ kind: 'creditFunds', account: gate.accounts.broker, asset: assets[code], amount: units(code, 1000) });
    await trade(gate, `${code}USDT`, code === 'DOG' ? '0.5' : '2');
    await run(referencePrice(assets[code], code === 'DOG' ? 5n : 20n, 1));
  }
  await settlement.run();
  const send =
    (method: string) =>
    (path: string, parameters: Record<string, string> = {}, key: string = keys.alice): Promise<Reply> =>
      gate.signed(method, base + path, parameters, { key });
  return {
    gate,
    chains: controls,
    settlement,
    run,
    get: send('GET'),
    post: send('POST'),
    remove: send('DELETE'),
    balance: async (name, key = keys.alice) => {
      const { body } = await gate.signed('GET', '/api/v3/account', {}, { key });
      const found = body.balances.find((each: { asset: string }) => each.asset === name);
      return [found?.free ?? '0', found?.locked ?? '0'];
    },
    mine: async (network, blocks) => {
      await controls.mine({ network, blocks });
      await settlement.run();
      await settlement.run();
    },
    close: async () => {
      await settlement.stop();
      await gate.close();
      await close();
    },
  };
}
