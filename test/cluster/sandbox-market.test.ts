import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { repeatedly, wallClock } from '#base/clock.ts';
import type { ExchangeCore } from '#main/composition/exchange-core.ts';
import { createSandboxMarket, type SandboxMarket } from '#main/composition/sandbox-market.ts';
import { turnOf } from '#main/composition/turn-to-lead.ts';
import { loadConfiguration } from '#main/configuration/config.ts';
import { createSecretSeal } from '#main/secrets/secret-seal.ts';
import { layoutOf } from '#main/storage/data-directory.ts';
import { createVirtualClock } from '#sandbox/virtual-clock.ts';
import { exchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import { foundQuorum, type MemoryNode, startMemoryNode } from '../memory-node.ts';
import type { MemoryQuorum } from '../ports/memory-command-log.ts';

const soon = { timeout: 25_000, interval: 20 };
const folder = mkdtempSync(join(tmpdir(), 'bourse-sandbox-nodes-'));
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface SandboxNode extends MemoryNode {
  readonly market: SandboxMarket;
  readonly trades: () => number;
  /** Whether its market was opened, by whichever node. */
  readonly isOpen: Promise<boolean>;
  end(): Promise<void>;
}

/** A node of a sandbox: what the start of one does about its market, without ports. `seed`: of its directory. */
async function sandboxNode(quorum: MemoryQuorum, name: string, seed: string | null): Promise<SandboxNode> {
  const directory = layoutOf(join(mkdtempSync(join(folder, name)), 'data'));
  mkdirSync(directory.root);
  const { config } = loadConfiguration({
    flags: new Map(),
    file: null,
    environment: { BOURSE_CLUSTER: 'one.json', BOURSE_DATA: directory.root },
    readFile: () => '',
    isForServer: true,
  });
  if (seed !== null) writeFileSync(join(directory.root, 'seed'), seed);
  const clock = createVirtualClock(wallClock);
  const node = await startMemoryNode({ quorum, name, clock });
  let trades = 0;
  node.ingress.subscribe({ tradeExecuted: () => void (trades += 1) });
  let stop = (): void => {};
  const stopped = new Promise<number>((resolve) => {
    stop = () => resolve(0);
  });
  const turn = turnOf({ isAlone: false, stopped, onTrouble: () => {} });
  const core = { sequencer: node.ingress, queries: exchangeQueries(node.engine) } as unknown as ExchangeCore;
  const end = async (): Promise<void> => {
    stop();
    await market?.stop();
    await node.close();
  };
  ends.push(end);
  let market: SandboxMarket | undefined;
  market = await createSandboxMarket(
    {
      ...{ config, directory, core, clock, repeat: repeatedly, now: () => wallClock.now(), tell: () => {} },
      seal: createSecretSeal({ keys: [Buffer.alloc(32, 1)], nonces: 'synthetic' }),
      onTrouble: () => {},
    },
    null,
  );
  const { start, isOpen } = market;
  const started = node.led.then(() => turn.atLast('opening', start));
  return { ...node, market, trades: () => trades, isOpen: turn.isDone(started, isOpen), end };
}

const accountsOf = async ({ engine }: SandboxNode): Promise<readonly string[]> =>
  (await exchangeQueries(engine).accounts()).map(({ uid, name }) => `${uid} ${name}`);
const names = ({ market }: SandboxNode): readonly string[] => market.demoKeys.map(({ name }) => name);

test('DEC-CLU-23: demo accounts are made once, and traders act at the leader, and go on at the next one', async () => {
  const quorum = await foundQuorum();
  const one = await sandboxNode(quorum, 'one', 'a seed');
  await one.led;
  const two = await sandboxNode(quorum, 'two', 'a seed');
  expect(await Promise.all([one.isOpen, two.isOpen])).toEqual([true, true]);
  await expect.poll(() => two.trades(), soon).toBeGreaterThan(5);
  expect(two.market.demoKeys).toEqual(one.market.demoKeys);
  expect(names(two)).toEqual(expect.arrayContaining(['alice', 'bob', 'broker', 'invitee', 'alice-desk']));
  expect([one, two].map(({ market }) => market.controls?.isActing)).toEqual([true, false]);

  const before = { accounts: await accountsOf(two), trades: two.trades() };
  await one.end();
  await two.led;
  await expect.poll(() => two.trades(), soon).toBeGreaterThan(before.trades + 5);
  expect(two.market.controls?.isActing).toBe(true);
  expect(await accountsOf(two)).toEqual(before.accounts);
});

test('DEC-CLU-23: a node without the seed of its cluster is refused, and one with another seed', async () => {
  const quorum = await foundQuorum();
  const one = await sandboxNode(quorum, 'one', 'a seed');
  expect(await one.isOpen).toBe(true);
  await expect(sandboxNode(quorum, 'two', null)).rejects.toThrow('copy the file seed of another node into it');
  const three = await sandboxNode(quorum, 'three', 'another seed');
  await expect(three.isOpen).rejects.toThrow('has another seed than its cluster');
});
