import { describe, expect, test } from 'vitest';
import { networkCodes } from '#custody/addresses/networks.ts';
import { BlockHistory } from '#custody/simulated/block-history.ts';

const start = { network: 'BTC', seed: 'a', at: 1000, blockMs: 100 } as const;
const shapes = {
  BTC: /^[0-9a-f]{64}$/,
  ETH: /^0x[0-9a-f]{64}$/,
  TRX: /^[0-9a-f]{64}$/,
  BSC: /^0x[0-9a-f]{64}$/,
  SOL: /^[1-9A-HJ-NP-Za-km-z]{43,44}$/,
  XRP: /^[0-9A-F]{64}$/,
} as const;

describe('blocks that nobody stores', () => {
  test('a block is mined at the end of each interval, and when an operator wants', () => {
    const blocks = new BlockHistory(start);
    expect([1000, 1099, 1100, 1999, 2000].map((at) => blocks.heightAt(at))).toEqual([0, 0, 1, 9, 10]);
    expect([1000, 1099, 1100].map((at) => blocks.nextBlockAt(at))).toEqual([1100, 1100, 1200]);
    blocks.mine(5);
    expect(blocks.heightAt(1100)).toBe(6);
    expect(blocks.nextBlockAt(1100)).toBe(1200);
  });

  test.each(networkCodes)('hashes of %s look like its own, and no two are the same', (network) => {
    const blocks = new BlockHistory({ ...start, network });
    const hashes = Array.from({ length: 50 }, (_, height) => blocks.hashOf(height));
    for (const hash of hashes) expect(hash).toMatch(shapes[network]);
    expect(new Set(hashes).size).toBe(50);
  });

  test('a fork changes the blocks above it, those to come included, and no other', () => {
    const blocks = new BlockHistory(start);
    const before = [10, 20, 21, 30, 40].map((height) => blocks.hashOf(height));
    blocks.fork(20);
    const after = [10, 20, 21, 30, 40].map((height) => blocks.hashOf(height));
    expect(after.map((hash, index) => hash === before[index])).toEqual([true, true, false, false, false]);
  });

  test('the last common block of a position is the lowest that a later fork left', () => {
    const blocks = new BlockHistory(start);
    const first = blocks.positionAt(30);
    blocks.fork(25);
    const second = blocks.positionAt(30);
    expect([first, second].map((position) => blocks.lastCommonHeight(position))).toEqual([25, 30]);
    blocks.fork(28);
    expect([first, second].map((position) => blocks.lastCommonHeight(position))).toEqual([25, 28]);
    blocks.fork(10);
    expect([first, second].map((position) => blocks.lastCommonHeight(position))).toEqual([10, 10]);
    blocks.fork(50);
    expect([first, second].map((position) => blocks.lastCommonHeight(position))).toEqual([10, 10]);
    expect(blocks.lastCommonHeight(blocks.positionAt(30))).toBe(30);
  });

  test('a position that was never answered has no common block', () => {
    const blocks = new BlockHistory(start);
    const strange = ['', '30', '30/', '/', `31/${blocks.hashOf(30)}`, `-1/${blocks.hashOf(1)}`, `30/${'0'.repeat(64)}`];
    for (const position of strange) expect(blocks.lastCommonHeight(position)).toBe(-1);
  });

  test('after thousands of forks an old position is unknown, and positions of today are known', () => {
    const blocks = new BlockHistory(start);
    const old = blocks.positionAt(100);
    for (let round = 0; round < 2500; round += 1) blocks.fork(50 + (round % 40));
    expect(blocks.lastCommonHeight(old)).toBe(-1);
    expect(blocks.lastCommonHeight(blocks.positionAt(100))).toBe(100);
    const loaded = new BlockHistory(start);
    loaded.load(blocks.image());
    for (const height of [0, 51, 70, 100]) expect(loaded.hashOf(height)).toBe(blocks.hashOf(height));
  });
});
