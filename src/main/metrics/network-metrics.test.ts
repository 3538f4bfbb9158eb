import { describe, expect, test } from 'vitest';
import type { Custody, NetworkCustody } from '#custody/custody.ts';
import type { NetworkSight } from '#custody/settlement/watch-network.ts';
import { type NetworkMetricParts, networkSource } from '#main/metrics/network-metrics.ts';
import { as, type Balance } from '#model/units.ts';
import type { AssetNetwork } from '#model/wallet.ts';
import { scrapeOf } from '#test/scraped-metrics.ts';

const listed = [
  { network: 'ETH', contract: null, scale: 18, asset: 0 },
  { network: 'ETH', contract: '0xT', scale: 6, asset: 1 },
  { network: 'SOL', contract: null, scale: 9, asset: 2 },
] as unknown as readonly AssetNetwork[];
const assets = ['ETH', 'USDT', 'SOL'].map((code) => ({ code }));
const silent: NetworkSight = { status: null, answerAgeMs: 300_000, settlementAgeMs: 400_000, followedHeight: null };
const seen: NetworkSight = {
  status: {
    head: { height: 100, at: 950_000 },
    wallets: [
      { wallet: 'hot', contract: null, amount: 15n * 10n ** 17n, floor: 2n * 10n ** 18n },
      { wallet: 'gas', contract: null, amount: 10n ** 16n, floor: null },
      { wallet: 'hot', contract: '0xT', amount: 2_500_000n, floor: 0n },
      { wallet: 'hot', contract: '0xUnlisted', amount: 1n, floor: null },
    ],
  },
  answerAgeMs: 1500,
  settlementAgeMs: 2500,
  followedHeight: 97,
};

/** What a network tells, beside its sight. */
interface Told {
  readonly sights?: Readonly<Record<string, NetworkSight>>;
  readonly unknown?: readonly object[];
  readonly lost?: readonly object[];
  readonly held?: readonly string[];
  readonly waiting?: number;
}

function sourceFor({ sights = {}, unknown = [], lost = [], held = [], waiting = 0 }: Told) {
  const custody = new Map([
    ['ETH', { network: 'ETH', addressCountMax: null }],
    ['SOL', { network: 'SOL', addressCountMax: 40 }],
  ]) as unknown as Custody & ReadonlyMap<string, NetworkCustody>;
  const queries = {
    listing: async () => ({ assets }),
    wallet: {
      networks: async () => listed,
      openWithdrawals: async (network: string) => (network === 'ETH' ? [{ withdrawal: 1 }, { withdrawal: 2 }] : []),
      chain: async (network: string) => (network === 'SOL' ? { addressCount: 33 } : null),
    },
    safety: {
      isHeld: async (network: string) => held.includes(network),
      unknownPayments: async () => unknown,
      lostPayments: async () => lost,
    },
  } as unknown as NetworkMetricParts['queries'];
  return networkSource({
    queries,
    custody,
    payingState: (network) =>
      network === 'ETH'
        ? {
            unknownWaiting: waiting,
            stoppedBy: 'paid twice',
            reasonOf: (withdrawal) => (withdrawal === 2 ? 'too little' : null),
            shortfallOf: () => null,
            lacks: () => [{ asset: null, missing: as<Balance>(0n), purpose: 'amount', withdrawals: 3 }],
          }
        : null,
    sightOf: (network) => sights[network] ?? null,
    clock: { now: () => 1_000_000 },
  });
}

describe('DEC-OPR-287: metrics tell how networks stand', () => {
  test('balances and floors in whole coins, of listed assets', async () => {
    const scrape = await scrapeOf(sourceFor({ sights: { ETH: seen } }));
    const of = (wallet: string, asset: string) => ({ network: 'ETH', wallet, asset });
    expect(scrape.value('bourse_wallet_balance_coins', of('hot', 'ETH'))).toBe(1.5);
    expect(scrape.value('bourse_wallet_floor_coins', of('hot', 'ETH'))).toBe(2);
    expect(scrape.value('bourse_wallet_balance_coins', of('gas', 'ETH'))).toBe(0.01);
    expect(scrape.value('bourse_wallet_floor_coins', of('gas', 'ETH'))).toBeNull();
    expect(scrape.value('bourse_wallet_balance_coins', of('hot', 'USDT'))).toBe(2.5);
    expect(scrape.value('bourse_wallet_floor_coins', of('hot', 'USDT'))).toBe(0);
    expect(scrape.samples.filter(({ name }) => name === 'bourse_wallet_balance_coins').length).toBe(3);
  });

  test('height, lag, ages', async () => {
    const scrape = await scrapeOf(sourceFor({ sights: { ETH: seen } }));
    const value = (name: string) => scrape.value(`bourse_network_${name}`, { network: 'ETH' });
    expect(value('height_blocks')).toBe(100);
    expect(value('lag_blocks')).toBe(3);
    expect(value('block_age_seconds')).toBe(50);
    expect(value('answer_age_seconds')).toBe(1.5);
    expect(value('settlement_age_seconds')).toBe(2.5);
  });

  test('of a network that never answered only how long it has been silent', async () => {
    const scrape = await scrapeOf(sourceFor({ sights: { ETH: silent } }));
    const value = (name: string) => scrape.value(`bourse_network_${name}`, { network: 'ETH' });
    expect([value('height_blocks'), value('lag_blocks'), value('block_age_seconds')]).toEqual([null, null, null]);
    expect(value('answer_age_seconds')).toBe(300);
    expect(value('settlement_age_seconds')).toBe(400);
  });

  test('a watch-only network has no node: no ages, but addresses that are left', async () => {
    const watchOnly = { ...silent, status: { head: null, wallets: [] } };
    const scrape = await scrapeOf(sourceFor({ sights: { SOL: watchOnly } }));
    expect(scrape.value('bourse_network_answer_age_seconds', { network: 'SOL' })).toBeNull();
    expect(scrape.value('bourse_deposit_addresses_left', { network: 'SOL' })).toBe(7);
    expect(scrape.value('bourse_deposit_addresses_left', { network: 'ETH' })).toBeNull();
  });

  test('what holds it, what is lost, and withdrawals that wait for funds', async () => {
    const open = { network: 'ETH', booking: null };
    const booked = { network: 'ETH', booking: 'capital' };
    const scrape = await scrapeOf(
      sourceFor({ unknown: [open, booked], lost: [open, open], held: ['ETH'], waiting: 2 }),
    );
    const value = (name: string, network: string) => scrape.value(`bourse_${name}`, { network });
    expect(value('network_held', 'ETH')).toBe(1);
    expect(value('network_unknown_payments', 'ETH')).toBe(3);
    expect(value('network_lost_payments', 'ETH')).toBe(2);
    expect(value('withdrawals_unsigned', 'ETH')).toBe(1);
    expect(value('withdrawals_waiting_for_funds', 'ETH')).toBe(3);
    expect(value('network_stopped', 'ETH')).toBe(1);
    expect([value('network_held', 'SOL'), value('network_stopped', 'SOL')]).toEqual([0, 0]);
    const unrecorded = await scrapeOf(sourceFor({ waiting: 1 }));
    expect(unrecorded.value('bourse_network_held', { network: 'ETH' })).toBe(1);
  });
});
