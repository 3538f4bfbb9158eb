import { describe, expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import type { Network } from '#custody/addresses/networks.ts';
import type { SignedTransaction } from '#custody/custody.ts';
import { MemoryChainStorage } from './memory-chain-storage.ts';
import type { SimulatedCustody } from '#custody/simulated/simulated-custody.ts';
import { openSimulatedCustody } from '#custody/simulated/simulated-custody.ts';

const blockMs = 5000;
const beganAt = 1_700_000_000_000;
const addressCount = 4;

/** A chain as a list of blocks, each mined one by one with what waited long enough: slow and plain to see. */
class NaiveChain {
  /** Transactions of each block; the list of block 0 is empty. */
  blocks: { readonly id: object; readonly txIds: readonly string[] }[] = [{ id: {}, txIds: [] }];
  mempool: { readonly txId: string; wait: number }[] = [];
  delay = 0;

  mine(): void {
    const txIds = this.mempool.filter(({ wait }) => wait === 0).map(({ txId }) => txId);
    this.mempool = this.mempool.filter(({ wait }) => wait > 0).map(({ txId, wait }) => ({ txId, wait: wait - 1 }));
    this.blocks.push({ id: {}, txIds });
  }

  pay(txId: string): void {
    this.mempool.push({ txId, wait: this.delay });
  }

  reorganise(depth: number, drop: boolean): void {
    const lost = this.blocks.splice(-depth);
    for (const { txIds } of lost) {
      this.blocks.push({ id: {}, txIds: [] });
      if (!drop) for (const txId of txIds) this.mempool.push({ txId, wait: 0 });
    }
  }

  knows(txId: string): boolean {
    return this.mempool.some((waiting) => waiting.txId === txId) || this.confirmationsOf(txId) > 0;
  }

  confirmationsOf(txId: string): number {
    const height = this.blocks.findIndex(({ txIds }) => txIds.includes(txId));
    return height < 0 ? 0 : this.blocks.length - height;
  }

  /** Transactions in blocks that were not there when the chain was `seen`. */
  since(seen: readonly object[]): string[] {
    return this.blocks.filter(({ id }) => !seen.includes(id)).flatMap(({ txIds }) => txIds);
  }
}

interface Play {
  readonly chain: NaiveChain;
  readonly network: Network;
  opened: SimulatedCustody;
  reopen: () => Promise<SimulatedCustody>;
  now: number;
  readonly refs: { readonly txId: string; readonly output: 0 }[];
  readonly sent: SignedTransaction[];
}

async function play(network: Network, seed: number, steps: number): Promise<void> {
  const prng = createPrng(seed);
  const storage = new MemoryChainStorage();
  const clock = { now: () => one.now };
  const one = { chain: new NaiveChain(), network, now: beganAt, refs: [], sent: [] } as unknown as Play;
  one.reopen = () => openSimulatedCustody({ seed: 'naive', clock, blockMs, storage });
  one.opened = await one.reopen();
  let position: string | null = null;
  let seen: readonly object[] = [];
  for (let step = 0; step < steps; step += 1) {
    await act(one, prng.below(9), prng.below);
    const custody = one.opened.custody.get(network)!;
    const state = await one.opened.controls.state(network);
    expect([state.height, state.mempoolSize]).toEqual([one.chain.blocks.length - 1, one.chain.mempool.length]);
    const confirmations = one.refs.map(({ txId }) => one.chain.confirmationsOf(txId));
    const places = await custody.placesOf(one.refs);
    expect(places.map((place) => (place === 'gone' ? 0 : place?.confirmations))).toEqual(confirmations);
    for (const transaction of one.sent) {
      const depth = one.chain.confirmationsOf(transaction.txId);
      const kind = depth > 0 ? 'included' : one.chain.knows(transaction.txId) ? 'waiting' : 'unknown';
      expect(await custody.fateOf(transaction)).toMatchObject(depth > 0 ? { kind, confirmations: depth } : { kind });
    }
    if (prng.below(3) > 0) continue;
    const observation = await custody.observe({ since: position, addressCount });
    const found = observation.payments.map(({ txId }) => txId);
    const expected = one.chain.since(seen).filter((txId) => one.refs.some((ref) => ref.txId === txId));
    expect([...found].sort()).toEqual([...expected].sort());
    position = observation.position;
    seen = one.chain.blocks.map(({ id }) => id);
  }
}

async function act(one: Play, choice: number, below: (bound: number) => number): Promise<void> {
  const { chain, network, opened } = one;
  const custody = opened.custody.get(network)!;
  if (choice <= 1) {
    const address = await custody.depositAddress(below(addressCount));
    const txId = await opened.controls.deposit({ network, ...address!, contract: null, amount: 1n });
    chain.pay(txId);
    one.refs.push({ txId, output: 0 });
  } else if (choice === 2) {
    const reference = `payment ${one.sent.length}`;
    const address = network === 'XRP' ? 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh' : '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
    const payment = { reference, address, memo: network === 'XRP' ? '1' : null, contract: null, amount: 1n };
    const signing = await custody.sign(payment, 0, 0n);
    if (signing.kind === 'refused') throw new Error(signing.reason);
    one.sent.push(signing.transaction);
  } else if (choice === 3 && one.sent.length > 0) {
    const transaction = one.sent[below(one.sent.length)]!;
    await custody.send(transaction);
    if (!chain.knows(transaction.txId)) chain.pay(transaction.txId);
  } else if (choice === 4) {
    const blocks = 1 + below(4);
    await opened.controls.mine({ network, blocks });
    for (let mined = 0; mined < blocks; mined += 1) chain.mine();
  } else if (choice === 5 && chain.blocks.length > 1) {
    const depth = 1 + below(Math.min(6, chain.blocks.length - 1));
    const drop = below(2) === 1;
    await opened.controls.reorganise({ network, depth, drop });
    chain.reorganise(depth, drop);
  } else if (choice === 6) {
    chain.delay = below(4);
    await opened.controls.delay({ network, blocks: chain.delay });
  } else if (choice === 7) {
    const blocks = below(3);
    one.now += blocks * blockMs;
    for (let mined = 0; mined < blocks; mined += 1) chain.mine();
  } else {
    one.opened = await one.reopen();
  }
}

describe('a chain of stored blocks', () => {
  test.each([
    ['BTC', 1],
    ['BTC', 2],
    ['XRP', 3],
    ['XRP', 4],
  ] as const)('says the same as the simulated %s after every act and restart, seed %i', (network, seed) =>
    play(network, seed, 400),
  );
});
