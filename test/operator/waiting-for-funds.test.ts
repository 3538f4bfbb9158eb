import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { InvariantBroken } from '#base/assert.ts';
import { type ChainSettlement, startSettlement } from '#custody/settlement/settlement.ts';
import type { ChainControls } from '#custody/simulated/chain-controls.ts';
import { changedCustody } from '../changed-custody.ts';
import { startTestOperator, type TestOperator } from './operator-harness.ts';
import { openWallet, usdtOnEth, withdraw } from './wallet-stage.ts';

let operator: TestOperator;
let settlement: ChainSettlement;
let chains: ChainControls;
let notices: string[];
let troubles: string[];
/** A fault that signing ends with; `null`: none. */
let fault: Error | null;
/** Settlement of the simulated chains, anew. */
let restart: () => void;

beforeEach(async () => {
  notices = [];
  troubles = [];
  fault = null;
  operator = await startTestOperator({
    hasChains: true,
    context: (context) => {
      chains = context.chains!;
      const custody = new Map(
        [...context.custody].map(([code, own]) => [
          code,
          changedCustody(own, {
            sign: async (payment, nonceFrom, paidLastHour) => {
              if (fault !== null && code === 'ETH') throw fault;
              return own.sign(payment, nonceFrom, paidLastHour);
            },
          }),
        ]),
      );
      restart = () => {
        settlement = startSettlement({
          ...context,
          custody,
          monotonic: { now: () => 0 },
          repeat: () => () => {},
          everyMs: 1000,
          notice: (message) => notices.push(message),
          onTrouble: (what, error) => troubles.push(`${what}: ${(error as Error).message}`),
        });
      };
      restart();
      return { ...context, custody, payingState: (network) => settlement.payingState(network) };
    },
  });
  await openWallet(operator);
});
afterEach(() => operator.close());

/** Polls of 6 s each: longer than withdrawals wait, and longer than a block. */
async function polls(count: number): Promise<void> {
  for (let poll = 0; poll < count; poll += 1) {
    operator.exchange.clock.time += 6000;
    await settlement.run();
  }
}
const lookAt = async (withdrawal: number) => {
  const { status, waitsFor, waitsForFunds } = (await operator.ask('GET', `/v1/withdrawals/${withdrawal}`)).body;
  return { status, waitsFor, waitsForFunds };
};
const ethInSafety = async () => {
  const { networks } = (await operator.ask('GET', '/v1/safety')).body;
  return networks.find(({ network }: { network: string }) => network === 'ETH');
};
const limit = (coins: bigint | null, contract: string | null = usdtOnEth.contract) =>
  chains.limitWallet({ network: 'ETH', contract, amount: coins === null ? null : coins * 10n ** 6n });

describe('DEC-OPR-290: what the hot wallet cannot pay waits for funds', () => {
  test('withdrawals say what is missing, each and together, and go on when money arrives', async () => {
    await limit(20n);
    const [large, small, paid] = [
      await withdraw(operator, 50n),
      await withdraw(operator, 30n),
      await withdraw(operator, 10n),
    ];
    await polls(3);
    expect(await lookAt(large)).toEqual({
      status: 'wait',
      waitsFor: 'It waits for funds: the hot wallet lacks 34 USDT.',
      waitsForFunds: { asset: 'USDT', missing: '34', purpose: 'amount' },
    });
    expect((await lookAt(small)).waitsForFunds).toEqual({ asset: 'USDT', missing: '14', purpose: 'amount' });
    expect(await lookAt(paid)).toMatchObject({ waitsFor: null, waitsForFunds: null });
    // 47 and 27 are asked for, and 13 of 20 are left.
    const lack = { asset: 'USDT', missing: '61', purpose: 'amount', withdrawals: 2 };
    expect(await ethInSafety()).toMatchObject({ isHeld: false, reason: null, waitsForFunds: [lack] });
    expect(troubles).toEqual([]);
    // What was journaled while they wait: nothing.
    const { length } = operator.exchange.entries;
    await polls(3);
    expect(operator.exchange.entries.slice(length).map(({ command }) => command.kind)).not.toContain('sign');
    await limit(null);
    await polls(20);
    expect(await ethInSafety()).toMatchObject({ waitsForFunds: [] });
    for (const each of [large, small, paid])
      expect(await lookAt(each)).toEqual({ status: 'success', waitsFor: null, waitsForFunds: null });
    expect(operator.exchange.faults()).toEqual([]);
  });

  test('so do those for which gas alone is missing, where the native coin is not listed', async () => {
    await limit(0n, null);
    const withdrawal = await withdraw(operator, 50n);
    await polls(3);
    expect(await lookAt(withdrawal)).toEqual({
      status: 'wait',
      waitsFor: 'It waits for funds: the hot wallet lacks the native coin for network fees.',
      waitsForFunds: { asset: null, missing: null, purpose: 'networkFee' },
    });
    expect((await ethInSafety()).waitsForFunds).toEqual([
      { asset: null, missing: null, purpose: 'networkFee', withdrawals: 1 },
    ]);
    await limit(null, null);
    await polls(20);
    expect((await lookAt(withdrawal)).status).toBe('success');
  });

  test('its account can cancel it, which ends the wait', async () => {
    await limit(0n);
    const withdrawal = await withdraw(operator, 50n);
    await polls(3);
    const { account } = operator.alice;
    await operator.exchange.submit({ kind: 'cancelWithdrawal', account, withdrawal });
    await polls(1);
    expect(await lookAt(withdrawal)).toEqual({ status: 'cancelled', waitsFor: null, waitsForFunds: null });
    expect((await ethInSafety()).waitsForFunds).toEqual([]);
  });
});

test('DEC-OPR-291: a lack is logged once when it begins and once when it ends, whoever waits for it', async () => {
  await limit(20n);
  await withdraw(operator, 50n);
  await polls(4);
  await withdraw(operator, 60n);
  await polls(4);
  const begun =
    'The hot wallet of ETH lacks 27 USDT: withdrawals wait for funds, and go on by themselves when money arrives.';
  expect(notices).toEqual([begun]);
  // A new process finds it anew, and knows both.
  restart();
  await polls(2);
  expect(notices.slice(1)).toEqual([begun.replace('27 USDT', '84 USDT')]);
  await limit(50n);
  await polls(4);
  // 3 are left, and the second asks for 57.
  expect((await ethInSafety()).waitsForFunds).toMatchObject([{ missing: '54', withdrawals: 1 }]);
  expect(notices).toHaveLength(2);
  await limit(null);
  await polls(4);
  expect(notices.slice(2)).toEqual(['The hot wallet of ETH does not lack USDT any more.']);
  expect(troubles).toEqual([]);
});

test('DEC-OPR-292: a network whose work is stopped says so, and why', async () => {
  fault = new InvariantBroken('a payment pays what was approved');
  await withdraw(operator, 50n);
  await polls(3);
  expect(await ethInSafety()).toMatchObject({
    isHeld: true,
    reason: 'Its work is stopped until the next start: it does not hold that a payment pays what was approved.',
  });
  expect(troubles).toHaveLength(1);
});
