import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rejectReasons } from '#model/rejection.ts';
import { as, type Balance, type Lots, type PriceTicks, type SymbolId } from '#model/units.ts';
import { labelValuesMax } from '#main/metrics/bounded-label.ts';
import { ledgerSource } from '#main/metrics/ledger-metrics.ts';
import { createTradingCounts, type TradingCounts } from '#main/metrics/trading-counts.ts';
import { tradingSource } from '#main/metrics/trading-metrics.ts';
import { walletSource } from '#main/metrics/wallet-metrics.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { listingOf } from '../permissive-listing.ts';
import { type Scrape, scrapeOf } from '../scraped-metrics.ts';
import { startTestOperator, type TestOperator } from './operator-harness.ts';
import { addresses, openWallet, pay } from './wallet-stage.ts';

let operator: TestOperator;
let context: OperatorContext;
let counts: TradingCounts;
beforeEach(async () => {
  counts = createTradingCounts();
  operator = await startTestOperator({
    context: (given) => {
      context = given;
      return given;
    },
  });
  operator.exchange.sequencer.subscribe(counts.sink);
});
afterEach(() => operator.close());

const listPair = (name: string, base = 1) =>
  operator.exchange.submit({
    kind: 'configureSymbol',
    symbol: listingOf({ name, base: as(base), quote: as(0), priceDecimals: 2, quantityDecimals: 4 }),
  });
const listAsset = (code: string) => {
  const asset = { code, fullName: code, scale: 8, cap: as<Balance>(10n ** 18n), coinId: '0'.repeat(32) };
  return operator.exchange.submit({ kind: 'configureAsset', asset });
};
const order = (side: 'buy' | 'sell', price: number, symbol = 0) =>
  operator.exchange.place(side === 'buy' ? operator.alice.account : operator.bob.account, {
    symbol: as<SymbolId>(symbol),
    side,
    price: as<PriceTicks>(price),
    quantity: as<Lots>(10_000),
  });
const trading = (): Promise<Scrape> => scrapeOf(tradingSource({ ...context, counts }));

describe('DEC-OPR-282: metrics tell what is traded', () => {
  beforeEach(async () => {
    await listPair('BTCUSDT');
    await operator.exchange.submit({
      kind: 'creditFunds',
      account: operator.bob.account,
      asset: as(1),
      amount: as<Balance>(10n ** 10n),
    });
  });

  test('orders, their ends and trades by pair', async () => {
    await order('sell', 10_100);
    await order('buy', 10_100);
    await order('buy', 9900);
    await operator.exchange.submit({ kind: 'cancelOrders', account: operator.alice.account, symbols: [as(0)] });
    await order('buy', 9900);
    const scrape = await trading();
    const pair = 'BTCUSDT';
    expect(scrape.value('bourse_orders_accepted_total', { pair })).toBe(4);
    expect(scrape.value('bourse_orders_closed_total', { pair, reason: 'filled' })).toBe(2);
    expect(scrape.value('bourse_orders_closed_total', { pair, reason: 'byUser' })).toBe(1);
    expect(scrape.value('bourse_orders_closed_total', { pair, reason: 'stp' })).toBe(0);
    expect(scrape.value('bourse_trades_total', { pair })).toBe(1);
    expect(scrape.value('bourse_orders_open')).toBe(1);
  });

  test('refusals by reason, those of other commands too; what is not listed makes no series of a pair', async () => {
    await order('buy', 2 ** 30);
    await order('buy', 100, 77);
    await operator.exchange.submit({
      kind: 'cancelOrder',
      account: operator.alice.account,
      symbol: as(0),
      ref: { order: as(9) },
    });
    await operator.exchange.submit({ kind: 'creditFunds', account: as(999), asset: as(0), amount: as<Balance>(1n) });
    const scrape = await trading();
    expect(scrape.value('bourse_orders_refused_total', { pair: 'BTCUSDT' })).toBe(1);
    const refusals = scrape.samples.filter(({ name }) => name === 'bourse_refusals_total');
    expect(Object.fromEntries(refusals.map(({ labels, value }) => [labels['code'], value]))).toEqual({
      aboveMaximumAmount: 1,
      unknownSymbol: 1,
      unknownOrder: 1,
      unknownAccount: 1,
    });
    for (const { labels } of refusals) expect(rejectReasons).toContain(labels['code']);
  });

  test('spread, last trade and status of a pair, and nothing where there is no such number', async () => {
    const pair = 'BTCUSDT';
    expect((await trading()).value('bourse_pair_spread_ratio', { pair })).toBeNull();
    expect((await trading()).value('bourse_pair_last_trade_age_seconds', { pair })).toBeNull();
    await order('sell', 10_100);
    await order('buy', 10_100);
    await order('sell', 10_100);
    await order('buy', 9900);
    operator.exchange.clock.time += 90_000;
    const scrape = await trading();
    expect(scrape.value('bourse_pair_spread_ratio', { pair })).toBeCloseTo(0.02, 12);
    expect(scrape.value('bourse_pair_last_trade_age_seconds', { pair })).toBe(90);
    expect(scrape.value('bourse_pair_status', { pair, status: 'online' })).toBe(1);
    await operator.ask('PATCH', '/v1/pairs/BTCUSDT', { status: 'cancelOnly' });
    const after = await trading();
    expect(after.value('bourse_pair_status', { pair, status: 'online' })).toBe(0);
    expect(after.value('bourse_pair_status', { pair, status: 'cancelOnly' })).toBe(1);
  });

  test('DEC-OPR-281: however many pairs are listed, series of pairs have an end', async () => {
    for (let count = 1; count < labelValuesMax.pairs + 20; count += 1) {
      await listAsset(`P${count}`);
      await listPair(`P${count}USDT`, count + 1);
    }
    const last = labelValuesMax.pairs + 19;
    for (const symbol of [last, last - 1, last - 1]) await order('buy', 100, symbol);
    const scrape = await trading();
    const pairsOf = (metric: string) =>
      new Set(scrape.samples.filter(({ name }) => name === metric).map(({ labels }) => labels['pair']));
    expect(pairsOf('bourse_orders_accepted_total').size).toBe(labelValuesMax.pairs + 1);
    expect(scrape.value('bourse_orders_accepted_total', { pair: 'other' })).toBe(3);
    expect(pairsOf('bourse_pair_status').size).toBe(labelValuesMax.pairs);
    expect(pairsOf('bourse_pair_status')).not.toContain('other');
  });
});

describe('DEC-OPR-283: metrics tell what waits', () => {
  const wallet = (): Promise<Scrape> => scrapeOf(walletSource(context));

  test('deposits and withdrawals by network and status, and how long the oldest waits', async () => {
    await openWallet(operator);
    const labels = { network: 'ETH', status: 'largeDelay' };
    expect((await wallet()).value('bourse_deposits_waiting', labels)).toBeNull();
    await pay(operator, `0x${'1'.repeat(64)}`, 200_000n);
    operator.exchange.clock.time += 60_000;
    await pay(operator, `0x${'2'.repeat(64)}`, 200_000n);
    await pay(operator, `0x${'3'.repeat(64)}`, 50n, 1);
    await operator.exchange.submit({
      kind: 'requestWithdrawal',
      account: operator.alice.account,
      asset: as(0),
      network: 'ETH',
      address: addresses.stranger,
      memo: null,
      amount: as<Balance>(100n * 10n ** 9n),
      withdrawOrderId: null,
      remark: null,
    });
    operator.exchange.clock.time += 30_000;
    const scrape = await wallet();
    expect(scrape.value('bourse_deposits_waiting', labels)).toBe(2);
    expect(scrape.value('bourse_deposit_oldest_age_seconds', labels)).toBe(90);
    expect(scrape.value('bourse_deposits_waiting', { network: 'ETH', status: 'pending' })).toBe(1);
    expect(scrape.value('bourse_withdrawals_waiting', { network: 'ETH', status: 'apply' })).toBe(1);
    expect(scrape.value('bourse_withdrawal_oldest_age_seconds', { network: 'ETH', status: 'apply' })).toBe(30);
  });

  test('proposals that wait for a second operator, and frozen accounts', async () => {
    const clock = { time: 0, now: () => clock.time };
    const source = ledgerSource({ ...context, monotonic: clock });
    expect((await scrapeOf(source)).value('bourse_accounts', { status: 'frozen' })).toBe(0);
    await operator.ask('PUT', `/v1/accounts/${operator.bob.uid}/status`, { status: 'frozen' });
    clock.time = 59_999;
    expect((await scrapeOf(source)).value('bourse_accounts', { status: 'frozen' })).toBe(0);
    clock.time = 60_000;
    const scrape = await scrapeOf(source);
    expect(scrape.value('bourse_accounts', { status: 'frozen' })).toBe(1);
    expect(scrape.value('bourse_accounts', { status: 'normal' })).toBe(1);
    expect(scrape.value('bourse_proposals_open')).toBe(0);
    expect(scrape.value('bourse_proposal_oldest_age_seconds')).toBe(0);
  });
});

describe('DEC-OPR-284: the ledger is checked by itself', () => {
  test('at most once a minute, and an asset that does not sum to zero is told', async () => {
    const clock = { time: 0, now: () => clock.time };
    const source = ledgerSource({ ...context, monotonic: clock });
    expect((await scrapeOf(source)).value('bourse_ledger_balanced')).toBe(1);
    // A balance that no command made.
    const { balances } = operator.exchange.engine.state.ledger;
    balances.free.add(balances.find(operator.alice.account, 0), 1);
    clock.time = 59_000;
    const before = await scrapeOf(source);
    expect(before.value('bourse_ledger_balanced')).toBe(1);
    expect(before.value('bourse_ledger_check_age_seconds')).toBe(59);
    clock.time = 60_000;
    const after = await scrapeOf(source);
    expect(after.value('bourse_ledger_balanced')).toBe(0);
    expect(after.value('bourse_ledger_unbalanced_assets')).toBe(1);
    expect(after.value('bourse_ledger_check_age_seconds')).toBe(0);
    balances.free.add(balances.find(operator.alice.account, 0), -1);
  });
});
