import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { networkCodes } from '#custody/addresses/networks.ts';
import { NetworkUnavailable } from '#custody/custody.ts';
import { began, blockMs, day, satoshi, SimulatedWorldHarness as World, vitalik } from './simulated-world-harness.ts';

describe('time on the simulated chain', () => {
  test('DEC-WAL-40: a block comes every 5 s of exchange time, and a day that is skipped mines a day of blocks', async () => {
    const world = await new World().open();
    const txId = await world.deposit('ETH');
    world.now += blockMs - 1;
    expect([await world.height(), await world.confirmations('ETH', txId)]).toEqual([0, 0]);
    world.now += 1;
    expect([await world.height(), await world.confirmations('ETH', txId)]).toEqual([1, 1]);
    world.now += day;
    expect([await world.height(), await world.confirmations('ETH', txId)]).toEqual([17_281, 17_281]);
    const { payments } = await world.on('ETH').observe({ since: null, addressCount: 1 });
    expect(payments).toMatchObject([{ txId, confirmations: 17_281 }]);
  });

  test('DEC-WAL-40: blocks are mined while the exchange is stopped', async () => {
    const world = await new World().open();
    const txId = await world.deposit('BTC');
    await world.opened.close();
    world.now += day;
    await world.open();
    expect(await world.confirmations('BTC', txId)).toBe(17_280);
  });

  test('DEC-WAL-40: a clock that is set back unmines nothing, and blocks go on from there', async () => {
    const world = await new World().open();
    const txId = await world.deposit('BTC');
    world.now += day;
    expect(await world.confirmations('BTC', txId)).toBe(17_280);
    world.now = began + 1000;
    expect(await world.confirmations('BTC', txId)).toBe(17_280);
    world.now += 3 * blockMs;
    expect(await world.confirmations('BTC', txId)).toBe(17_283);
  });

  test('DEC-WAL-40: a clock that is set back while nobody pays unmines nothing either', async () => {
    const world = await new World().open();
    world.now += 6 * blockMs;
    expect(await world.height()).toBe(6);
    world.now = began;
    expect(await world.height()).toBe(6);
    await world.open();
    world.now += blockMs;
    expect(await world.height()).toBe(7);
  });

  test('DEC-WAL-40: a crash after a day that was skipped, which the clock forgets, loses no block', async () => {
    const world = await new World().open();
    const txId = await world.deposit('BTC');
    const { position } = await world.on('BTC').observe({ since: null, addressCount: 1 });
    world.now += day;
    await world.on('BTC').observe({ since: position, addressCount: 1 });
    world.now = began + 2000;
    await world.open();
    expect(await world.confirmations('BTC', txId)).toBe(17_280);
  });

  test('a block that the exchange was told of exists after a crash, also when time tells less', async () => {
    const world = await new World().open();
    world.now += 9 * blockMs;
    const { position } = await world.on('BTC').observe({ since: null, addressCount: 1 });
    world.now = began;
    await world.open();
    expect(await world.height()).toBe(0);
    const txId = await world.deposit('BTC');
    await world.on('BTC').observe({ since: position, addressCount: 1 });
    expect(await world.height()).toBe(9);
    await world.open();
    expect(await world.height()).toBe(9);
    const late = await world.deposit('BTC');
    world.now += blockMs;
    const { payments } = await world.on('BTC').observe({ since: position, addressCount: 1 });
    expect(payments.map((payment) => payment.txId)).toEqual([late]);
    expect(await world.confirmations('BTC', txId)).toBe(10);
  });

  test('a small step back of the clock is waited for', async () => {
    const world = await new World().open();
    world.now += blockMs;
    expect(await world.height()).toBe(1);
    world.now -= 10;
    expect(await world.height()).toBe(1);
    world.now += blockMs;
    expect(await world.height()).toBe(1);
    world.now += 10;
    expect(await world.height()).toBe(2);
  });

  test('another pace goes on from the height of before', async () => {
    const world = await new World().open();
    world.now += 10 * blockMs;
    await world.open('a', 1000);
    expect(await world.height()).toBe(10);
    world.now += 4000;
    expect(await world.height()).toBe(14);
    await world.open('a', 1000);
    expect(await world.height()).toBe(14);
  });
});

/** Some of everything, as functions of the world. */
const acts: readonly ((world: World) => Promise<unknown>)[] = [
  (world) => world.deposit('ETH'),
  (world) => world.opened.controls.delay({ network: 'ETH', blocks: 2 }),
  async (world) => world.on('ETH').send(await world.sign('ETH')),
  (world) => world.opened.controls.mine({ network: 'ETH', blocks: 2 }),
  async (world) => world.on('ETH').send(await world.sign('ETH', { reference: 'two' })),
  (world) => world.opened.controls.reorganise({ network: 'ETH', depth: 1, drop: false }),
  (world) => world.deposit('XRP', 7),
  (world) => world.opened.controls.limitWallet({ network: 'ETH', contract: null, amount: 10n }),
  (world) => world.opened.controls.mine({ network: 'XRP', blocks: 1 }),
  (world) => world.opened.controls.reorganise({ network: 'XRP', depth: 1, drop: true }),
  (world) => world.deposit('SOL', 3),
];

/** Everything that the world says, after each act and 3 s. */
async function story(world: World): Promise<readonly unknown[]> {
  const said: unknown[] = [];
  for (const act of acts) {
    said.push(await act(world));
    world.now += 3000;
    for (const network of networkCodes)
      said.push(
        await world.on(network).observe({ since: null, addressCount: 9 }),
        await world.on(network).holdings([], 9),
      );
    said.push(await world.states());
  }
  return said;
}

describe('the simulated world', () => {
  test('equal seeds, acts and times give equal answers and files; another seed gives others', async () => {
    const [one, other, foreign] = [await new World().open(), await new World().open(), await new World().open('b')];
    const said = await story(one);
    expect(await story(other)).toEqual(said);
    expect(other.storage.content()).toEqual(one.storage.content());
    const strange = await story(foreign);
    expect(strange).not.toEqual(said);
    expect(strange[0]).not.toBe(said[0]);
  });

  test('a restart after any act, with the last line torn at any byte, knows what was durable', async () => {
    const world = await new World().open();
    let before: { readonly size: number; readonly states: readonly unknown[] } | null = null;
    for (const act of acts) {
      await act(world);
      const content = world.storage.content();
      const states = await world.states();
      expect(await (await new World(content).open()).states()).toEqual(states);
      const lastLine = content.lastIndexOf(10, content.length - 2) + 1;
      for (let size = lastLine; before !== null && size < content.length; size += 1) {
        const torn = await new World(content.subarray(0, size)).open();
        expect(await torn.states()).toEqual(before.states);
        expect(torn.storage.content()).toHaveLength(lastLine);
      }
      before = { size: content.length, states };
    }
  });

  test('a world of another seed is refused', async () => {
    const world = await new World().open();
    await expect(new World(world.storage.content()).open('b')).rejects.toThrow('made with another seed');
  });

  test('once the file cannot be written nothing is answered until a restart, which knows what was acknowledged', async () => {
    const world = await new World().open();
    const txId = await world.deposit('BTC');
    const append = world.storage.append.bind(world.storage);
    world.storage.append = () => Promise.reject(new Error('disk full'));
    await expect(world.deposit('BTC')).rejects.toBeInstanceOf(NetworkUnavailable);
    world.storage.append = append;
    await expect(world.deposit('BTC')).rejects.toBeInstanceOf(NetworkUnavailable);
    await expect(world.confirmations('BTC', txId)).rejects.toBeInstanceOf(NetworkUnavailable);
    await world.opened.close();
    await world.open();
    world.now += blockMs;
    expect(await world.confirmations('BTC', txId)).toBe(1);
  });

  test('blocks that come while a deposit is being written do not hide it from who observes meanwhile', async () => {
    const world = await new World().open();
    const append = world.storage.append.bind(world.storage);
    world.storage.append = async (bytes) => {
      world.now += 3 * blockMs;
      for (let turn = 0; turn < 10; turn += 1) await setImmediate();
      await append(bytes);
    };
    const deposit = world.deposit('BTC');
    const { position, payments } = await world.on('BTC').observe({ since: null, addressCount: 1 });
    world.now += 3 * blockMs;
    const later = await world.on('BTC').observe({ since: position, addressCount: 1 });
    const txId = await deposit;
    expect([...payments, ...later.payments].map((payment) => payment.txId)).toEqual([txId]);
  });
});

describe('what operators do to the simulated chain', () => {
  test('DEC-WAL-41: what falls out of a replaced block is in the next one, and is reported again', async () => {
    const world = await new World().open();
    const txId = await world.deposit('BTC');
    const sent = await world.sign('BTC');
    await world.on('BTC').send(sent);
    await world.opened.controls.mine({ network: 'BTC', blocks: 3 });
    const { position } = await world.on('BTC').observe({ since: null, addressCount: 1 });
    const before = await world.opened.controls.state('BTC');
    const after = await world.opened.controls.reorganise({ network: 'BTC', depth: 3, drop: false });
    expect(after).toMatchObject({ height: before.height, mempoolSize: 2 });
    expect(after.hash).not.toBe(before.hash);
    expect(await world.confirmations('BTC', txId)).toBe(0);
    expect(await world.on('BTC').fateOf(sent)).toEqual({ kind: 'waiting' });
    await world.opened.controls.mine({ network: 'BTC', blocks: 1 });
    expect(await world.on('BTC').fateOf(sent)).toMatchObject({ kind: 'included', confirmations: 1 });
    const { payments } = await world.on('BTC').observe({ since: position, addressCount: 1 });
    expect(payments).toMatchObject([{ txId, confirmations: 1 }]);
  });

  test('DEC-WAL-41: with drop a deposit is gone for good and a withdrawal until it is sent again', async () => {
    const world = await new World().open();
    const txId = await world.deposit('BTC');
    const sent = await world.sign('BTC');
    await world.on('BTC').send(sent);
    await world.opened.controls.mine({ network: 'BTC', blocks: 1 });
    const state = await world.opened.controls.reorganise({ network: 'BTC', depth: 1, drop: true });
    expect(state.mempoolSize).toBe(0);
    world.now += day;
    expect(await world.confirmations('BTC', txId)).toBe(0);
    expect(await world.on('BTC').fateOf(sent)).toEqual({ kind: 'unknown' });
    await world.on('BTC').send(sent);
    world.now += blockMs;
    expect(await world.on('BTC').fateOf(sent)).toMatchObject({ kind: 'included', confirmations: 1 });
    expect(await world.confirmations('BTC', txId)).toBe(0);
    expect(await world.deposit('BTC')).not.toBe(txId);
  });

  test('DEC-WAL-42: a delay holds up what is sent from then on, until another one is set', async () => {
    const world = await new World().open();
    const prompt = await world.deposit('BTC');
    expect(await world.opened.controls.delay({ network: 'BTC', blocks: 3 })).toMatchObject({ delayBlocks: 3 });
    const late = await world.deposit('BTC');
    await world.opened.controls.delay({ network: 'BTC', blocks: 0 });
    const promptAgain = await world.deposit('BTC');
    await world.opened.controls.mine({ network: 'BTC', blocks: 3 });
    const confirmations = [prompt, late, promptAgain].map((txId) => world.confirmations('BTC', txId));
    expect(await Promise.all(confirmations)).toEqual([3, 0, 3]);
    expect(await world.opened.controls.mine({ network: 'BTC', blocks: 1 })).toMatchObject({ mempoolSize: 0 });
    expect(await world.confirmations('BTC', late)).toBe(1);
  });

  test('DEC-WAL-43: a withdrawal that waits for more than 10 blocks is replaced by one that pays half as much more', async () => {
    const world = await new World().open();
    const payment = { reference: 'one', address: vitalik, memo: null, contract: null, amount: 7n };
    await world.opened.controls.delay({ network: 'ETH', blocks: 100 });
    const sent = await world.sign('ETH');
    await world.on('ETH').send(sent);
    await world.opened.controls.mine({ network: 'ETH', blocks: 10 });
    expect(await world.on('ETH').replacementFor(payment, sent)).toBeNull();
    await world.opened.controls.mine({ network: 'ETH', blocks: 1 });
    const replacement = await world.on('ETH').replacementFor(payment, sent);
    expect(replacement).toMatchObject({ nonce: sent.nonce });
    expect(await world.on('ETH').fateOf(sent)).toEqual({ kind: 'waiting' });
    await world.on('ETH').send(replacement!);
    expect(await world.on('ETH').fateOf(sent)).toEqual({ kind: 'unknown' });
    await world.on('ETH').send(sent);
    await world.opened.controls.mine({ network: 'ETH', blocks: 1 });
    const included = {
      kind: 'included',
      txId: replacement!.txId,
      confirmations: 1,
      networkFee: (21_000n * 3_000_000_000n * 3n) / 2n,
    };
    expect(await world.on('ETH').fateOf(replacement!)).toEqual(included);
    expect(await world.on('ETH').fateOf(sent)).toEqual(included);
  });

  test('DEC-WAL-43: networks without nonces replace nothing', async () => {
    const world = await new World().open();
    await world.opened.controls.delay({ network: 'BTC', blocks: 100 });
    const sent = await world.sign('BTC');
    await world.on('BTC').send(sent);
    await world.opened.controls.mine({ network: 'BTC', blocks: 50 });
    const payment = { reference: 'one', address: satoshi, memo: null, contract: null, amount: 7n };
    expect(await world.on('BTC').replacementFor(payment, sent)).toBeNull();
  });

  test('DEC-WAL-44: on XRP every payment to the shared address is reported, with whatever memo it has', async () => {
    const world = await new World().open();
    const { address } = (await world.on('XRP').depositAddress(0))!;
    for (const memo of [null, '', '7', '100000000', '100000005'])
      await world.opened.controls.deposit({ network: 'XRP', address, memo, contract: null, amount: 1n });
    world.now += blockMs;
    const { payments } = await world.on('XRP').observe({ since: null, addressCount: 1 });
    expect(payments.map(({ memo }) => memo)).toEqual([null, null, '7', '100000000', '100000005']);
  });

  test('DEC-WAL-44: the wallet pays without end and owes what it has not; a limit makes it wait', async () => {
    const world = await new World().open();
    await world.on('BTC').send(await world.sign('BTC'));
    world.now += blockMs;
    expect(await world.on('BTC').holdings([], 1)).toEqual([{ contract: null, amount: -7n - 1_410n }]);
    const { controls } = world.opened;
    await controls.limitWallet({ network: 'BTC', contract: null, amount: 10n });
    await world.on('BTC').send(await world.sign('BTC', { reference: 'two' }));
    const payment = { reference: 'three', address: satoshi, memo: null, contract: null, amount: 4n };
    const lacks = { contract: null, purpose: 'amount', needed: 4n, available: 3n };
    const refused = { kind: 'refused', until: 'later', reason: 'the wallet has too little', lacks };
    expect(await world.on('BTC').sign(payment, 0, 0n)).toEqual(refused);
    expect(await world.on('BTC').sign({ ...payment, amount: 3n }, 0, 0n)).toMatchObject({ kind: 'signed' });
    world.now += blockMs;
    await controls.reorganise({ network: 'BTC', depth: 1, drop: true });
    expect(await world.on('BTC').sign({ ...payment, amount: 10n }, 0, 0n)).toMatchObject({ kind: 'signed' });
    expect(await world.on('BTC').sign({ ...payment, amount: 11n }, 0, 0n)).toMatchObject({ kind: 'refused' });
    await controls.limitWallet({ network: 'BTC', contract: null, amount: null });
    expect(await world.on('BTC').sign(payment, 0, 0n)).toMatchObject({ kind: 'signed' });
  });

  test('a transaction that was not signed here, or was changed, is not sent', async () => {
    const world = await new World().open();
    const sent = await world.sign('BTC');
    const changed = { ...sent, raw: sent.raw.replace('"7"', '"8"') };
    await expect(world.on('BTC').send(changed)).rejects.toThrow('not signed here');
    await expect(world.on('ETH').send(sent)).rejects.toThrow('not signed here');
  });
});
