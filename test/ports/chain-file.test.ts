import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { describe, expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import { appendRecord, readRecords, replaceRecords } from '#custody/simulated/chain-file.ts';
import type { ChainRecord } from '#custody/simulated/chain-records.ts';
import { lineOf } from '#custody/simulated/chain-records.ts';
import type { ChainStorage } from '#custody/simulated/chain-file.ts';
import { MemoryChainStorage } from './memory-chain-storage.ts';
import { nodeChainStorage } from '#custody/simulated/node-chain-storage.ts';

const records: readonly ChainRecord[] = [
  { kind: 'beginning', version: 1, seed: 'größer', at: 1, blockMs: 5000 },
  { kind: 'mine', at: 2, network: 'BTC', blocks: 3 },
  { kind: 'time', at: 3 },
];
const whole = utf8ToBytes(records.map(lineOf).join(''));

async function readAll(storage: ChainStorage): Promise<readonly ChainRecord[]> {
  const found: ChainRecord[] = [];
  await readRecords(storage, (record) => found.push(record));
  return found;
}

describe('the file of the simulated chain', () => {
  test('has one line of JSON per record, with a checksum as its last member', () => {
    const lines = new TextDecoder().decode(whole).split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      records.map((record) => ({ ...record, check: expect.stringMatching(/^[0-9a-f]{8}$/) })),
    );
  });

  test('a last line that a crash tore at any byte is cut off, and the file goes on', async () => {
    const kept = whole.length - utf8ToBytes(lineOf(records[2]!)).length;
    for (let size = kept; size < whole.length; size += 1) {
      const storage = new MemoryChainStorage(whole.subarray(0, size));
      expect(await readAll(storage)).toEqual(records.slice(0, 2));
      expect(storage.content()).toEqual(whole.subarray(0, kept));
      await appendRecord(storage, { kind: 'time', at: 9 });
      expect(await readAll(storage)).toEqual([...records.slice(0, 2), { kind: 'time', at: 9 }]);
    }
  });

  test('a last line that a loss of power filled with anything is cut off, even if it became several', async () => {
    const prng = createPrng(5);
    const kept = whole.length - utf8ToBytes(lineOf(records[2]!)).length;
    for (let round = 0; round < 300; round += 1) {
      const content = whole.slice();
      for (let at = kept; at < content.length; at += 1)
        if (prng.below(3) === 0) content[at] = prng.below(4) === 0 ? 10 : prng.below(256);
      content[kept] = 0;
      const storage = new MemoryChainStorage(content);
      expect(await readAll(storage)).toEqual(records.slice(0, 2));
      expect(storage.content()).toEqual(whole.subarray(0, kept));
    }
  });

  test('damage before an intact line is refused and nothing is cut', async () => {
    const first = lineOf(records[0]!).length;
    for (let at = 0; at < first; at += 1) {
      const content = whole.slice();
      content[at]! ^= 1;
      const storage = new MemoryChainStorage(content);
      await expect(readAll(storage)).rejects.toThrow("Line 1 of the simulated chain's file is damaged.");
      expect(storage.content()).toEqual(content);
    }
  });

  test('another file is refused and kept', async () => {
    const storage = new MemoryChainStorage(utf8ToBytes('{"precious":1}\n'));
    await expect(readAll(storage)).rejects.toThrow('does not begin like one');
    expect(storage.content()).toHaveLength(15);
  });

  test('lines are put together from pieces of any size', async () => {
    for (const size of [1, 7, 64, 1000]) {
      const storage = new MemoryChainStorage(whole);
      storage.read = async function* () {
        for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size);
      };
      expect(await readAll(storage)).toEqual(records);
    }
  });
});

describe('the file on a disk', () => {
  const inDirectory = async (use: (path: string, directory: string) => Promise<void>): Promise<void> => {
    const directory = await mkdtemp(join(tmpdir(), 'chain-'));
    await use(join(directory, 'simulated-chain.jsonl'), directory);
    await rm(directory, { recursive: true });
  };

  test('holds what it was given, for its owner only, and leaves no other file', () =>
    inDirectory(async (path, directory) => {
      const storage = nodeChainStorage(path);
      expect(await readAll(storage)).toEqual([]);
      expect(await replaceRecords(storage, records.slice(0, 1))).toBe(utf8ToBytes(lineOf(records[0]!)).length);
      for (const record of records.slice(1)) await appendRecord(storage, record);
      expect(await readAll(storage)).toEqual(records);
      await replaceRecords(storage, records.slice(0, 2));
      await appendRecord(storage, records[2]!);
      await storage.close();
      expect(new Uint8Array(await readFile(path))).toEqual(whole);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect(await readdir(directory)).toEqual(['simulated-chain.jsonl']);
    }));

  test('is cut behind a torn line, and appended to from there', () =>
    inDirectory(async (path) => {
      await writeFile(path, concatBytes(whole, utf8ToBytes('{"kind":"ti')));
      const storage = nodeChainStorage(path);
      expect(await readAll(storage)).toEqual(records);
      await appendRecord(storage, { kind: 'time', at: 9 });
      expect(await readAll(storage)).toEqual([...records, { kind: 'time', at: 9 }]);
      await storage.close();
    }));
});
