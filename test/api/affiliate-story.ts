import { expect } from 'vitest';
import { keys, type Reply } from './gateway-harness.ts';
import {
  type Person,
  type RebateHarness,
  shareOf,
  startRebateHarness,
  type ToldTrade,
  usdtOf,
} from './rebate-harness.ts';
import { assets, units } from './wallet-harness.ts';
import { seenWith } from '../chain-sight.ts';

export const campaignCode = 'svcx-12345';
export const plainCode = 'ann-friends';
export const referralPpm = 200_000n;

/** What an inviter earned of these trades, in USDT. */
export const commissionOf = (trades: readonly ToldTrade[], ppm = referralPpm): string =>
  usdtOf(trades, (trade) => shareOf(trade, ppm).value);

type Name = 'ann' | 'bea' | 'cal' | 'cid' | 'dan' | 'eve';

/**
 * Ann is an affiliate. She invited bea by her refer code, cal and cid by a campaign's; bea invited dan, dan invited
 * eve. All but cid traded; cal and dan deposited, cal withdrew.
 */
export interface AffiliateStory extends Readonly<Record<Name, Person>> {
  readonly harness: RebateHarness;
  readonly depositedAt: number;
  readonly withdrawnAt: number;
  /** A report of ann. */
  report(name: string, parameters?: Record<string, string>): Promise<Reply>;
  /** Its list. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at, member by member, by tests
  listOf(name: string, parameters?: Record<string, string>): Promise<any[]>;
}

/** A refusal in the envelope of affiliates. DEC-SUB-04. */
export const expectRefused = ({ status, body }: Reply, code: number): void => {
  expect([status, body]).toEqual([400, { success: false, code, message: expect.stringMatching(/\.$/), data: null }]);
};

/** Somebody gets BTC on chain, credited at once. */
async function deposit({ wallet }: RebateHarness, person: Person, amount: number): Promise<void> {
  const { body } = await wallet.post('deposit/address', { coin: 'BTC', network: 'BTC' }, person.key);
  const { address, memo } = body[0];
  const payment = { network: 'BTC', txId: `to ${person.uid}`, output: 0, asset: assets.BTC, address, memo } as const;
  await wallet.run({ kind: 'reportDeposit', ...payment, amount: units('BTC', amount), sight: seenWith(2) });
}

/** Somebody sends bob 50 USDT by an address of this exchange. */
async function withdraw({ wallet }: RebateHarness, { key }: Person): Promise<void> {
  const { body } = await wallet.post('deposit/address', { coin: 'USDT', network: 'ETH' }, keys.bob);
  const terms = { coin: 'USDT', netWork: 'ETH', address: body[0].address, amount: '50' };
  expect((await wallet.post('withdraw', terms, key)).status).toBe(200);
}

async function register(harness: RebateHarness): Promise<Record<Name, Person>> {
  const invited = async (name: string, inviteCode: string, more: { email?: string; kycLevel?: number } = {}) => {
    harness.gate.exchange.clock.time += 1000;
    return harness.register(name, { inviteCode, ...more });
  };
  const ann = await harness.register('ann', { email: 'ann@example.com', class: 'affiliate' });
  const made = { kind: 'createInviteCode', owner: ann.account } as const;
  await harness.wallet.run(
    { ...made, code: campaignCode, campaign: 'Spring' },
    { ...made, code: plainCode, campaign: null },
    { ...made, code: 'svcx-autumn', campaign: 'Autumn' },
  );
  const bea = await invited('bea', ann.referCode, { email: 'beatrice@example.com' });
  const cal = await invited('cal', campaignCode, { email: 'calvin6@example.com', kycLevel: 3 });
  const cid = await invited('cid', campaignCode);
  const dan = await invited('dan', bea.referCode);
  return { ann, bea, cal, cid, dan, eve: await invited('eve', dan.referCode) };
}

/** Plays it. */
export async function playAffiliateStory(): Promise<AffiliateStory> {
  const harness = await startRebateHarness();
  const { clock } = harness.gate.exchange;
  const people = await register(harness);
  const { ann, bea, cal, dan, eve } = people;
  const trades = [
    [bea, { side: 'BUY', quantity: '0.123457', price: '30000.01' }],
    [cal, { side: 'SELL', quantity: '0.7', price: '30100' }],
    [cal, { side: 'BUY', quantity: '0.2', price: '30000', isMaker: true }],
    [dan, { side: 'BUY', quantity: '0.033333', price: '29999.99' }],
    [eve, { side: 'SELL', quantity: '1.000001', price: '30000' }],
  ] as const;
  for (const [person, terms] of trades) {
    clock.time += 60_000;
    await harness.trade(person, terms);
  }
  clock.time += 60_000;
  const depositedAt = clock.time;
  await deposit(harness, cal, 0.5);
  await deposit(harness, dan, 0.25);
  clock.time += 60_000;
  const withdrawnAt = clock.time;
  await withdraw(harness, cal);
  const report: AffiliateStory['report'] = (name, parameters) => harness.report(`affiliate/${name}`, ann, parameters);
  const listOf: AffiliateStory['listOf'] = async (...asked) => (await report(...asked)).body.data.resultList;
  return { ...people, harness, depositedAt, withdrawnAt, report, listOf };
}
