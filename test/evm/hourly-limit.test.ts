import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasAnvil } from './anvil.ts';
import type { EvmWorld } from './evm-harness.ts';
import { createEvmWorld, depositAddress, ether, gasWallet, hotWallet } from './evm-harness.ts';
import { type EvmSettlement, openEvmSettlement } from './settlement-world.ts';

const receiver = '0x00000000000000000000000000000000DeaDBeef';
const ledgerEther = 10n ** 9n;
const hour = 3_600_000;

describe.skipIf(!hasAnvil)('DEC-WAL-48: the limit per hour of a hot wallet', () => {
  let world: EvmWorld;
  let opened: EvmSettlement;
  const limited = () => world.custody({ nativeCoin: { perHourMax: (ether * 3n) / 2n, sweepFrom: null } });
  beforeEach(async () => {
    world = await createEvmWorld();
    await world.pay(gasWallet, ether);
    await world.pay(hotWallet, 10n * ether);
    await world.anvil.mine();
    opened = await openEvmSettlement(world, { custody: limited });
    await world.pay(depositAddress(0), 5n * ether);
    await turns(6);
  });
  afterEach(() => world.anvil.stop());

  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn += 1) await opened.turn();
  };
  const statusOf = (withdrawal: number) => opened.exchange.engine.state.withdrawals.get(withdrawal)!.status;
  const reasonOf = (withdrawal: number) => opened.payingState().reasonOf(withdrawal);
  const withdraw = () => opened.withdraw('ETH', receiver, ledgerEther);

  /** The second one waits however often the process begins anew, until the hour of the first one is over. */
  async function expectWaiting(withdrawal: number): Promise<void> {
    await turns(8);
    expect([statusOf(withdrawal), reasonOf(withdrawal)]).toEqual(['wait', 'the hourly limit is used up']);
  }
  async function expectPaidAfterTheHour(withdrawal: number): Promise<void> {
    opened.exchange.clock.time += hour;
    await turns(12);
    expect(statusOf(withdrawal)).toBe('success');
    expect(await world.balance(receiver)).toBe((ether * 2n * 999n) / 1000n);
    expect([opened.troubles, opened.exchange.faults()]).toEqual([[], []]);
  }

  test('a restart grants no second one', async () => {
    const [first, second] = [await withdraw(), await withdraw()];
    await turns(12);
    expect(statusOf(first)).toBe('success');
    await expectWaiting(second);
    opened.restart();
    await expectWaiting(second);
    await expectPaidAfterTheHour(second);
  });

  test('nor does a death between signing and sending', async () => {
    const [first, second] = [await withdraw(), await withdraw()];
    opened.crash = (point) => point === 'before send';
    while (await opened.look());
    opened.crash = () => false;
    expect([statusOf(first), statusOf(second)]).toEqual(['packaging', 'wait']);
    await expectWaiting(second);
    expect(statusOf(first)).toBe('success');
    await expectPaidAfterTheHour(second);
  });

  test('nor does another node that goes on from the same journal', async () => {
    const [first, second] = [await withdraw(), await withdraw()];
    await turns(12);
    expect(statusOf(first)).toBe('success');
    const { time } = opened.exchange.clock;
    opened = await openEvmSettlement(world, { backup: [...opened.exchange.entries], custody: limited });
    opened.exchange.clock.time = time;
    await expectWaiting(second);
    await expectPaidAfterTheHour(second);
  });
});
