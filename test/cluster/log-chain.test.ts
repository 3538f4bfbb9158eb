import { beforeEach, describe, expect, test } from 'vitest';
import { leavesInDamage, readChain } from '#cluster/log-chain.ts';
import { compareWithLog } from '#journal/log-comparison.ts';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { journalDirectory } from '../crash/journal-script.ts';
import { LogHarness, type LogNode } from './log-harness.ts';

describe('DEC-CLU-06: the chain of the log', () => {
  let harness: LogHarness;
  let leader: LogNode;
  let follower: LogNode;
  beforeEach(async () => {
    harness = new LogHarness();
    await harness.found();
    [leader, follower] = [await harness.node('a'), await harness.node('b')];
    const { journal } = await harness.lead(leader, () => 0);
    for (let first = 1; first <= 5; first += 1) await harness.append(journal, first);
  });

  /** How a journal that ends after this entry stands to the log, and whether it may be cut. */
  async function standing(end: number) {
    for (const batch of (await harness.batches(leader)).slice(0, end)) await follower.own.write(batch);
    await follower.own.close();
    return async () => {
      const chain = await harness.during(readChain(leader.log));
      const place = { files: follower.disk, journal: journalDirectory };
      const comparison = await compareWithLog(place, { origin: leader.own.origin(), points: chain.points });
      const mayCut = comparison.kind === 'ahead' && !leavesInDamage(chain, comparison.last, comparison.next);
      return { kind: comparison.kind, mayCut };
    };
  }
  const damage = (...lasts: number[]): void => {
    for (const last of lasts) harness.quorum.damageBatch(as<Seq>(last));
  };

  test('is known at both ends of one damaged batch', async () => {
    const compare = await standing(3);
    damage(3);
    expect(await compare()).toEqual({ kind: 'follows', mayCut: false });
  });

  test('is not known between two damaged batches: what ends there is not cut', async () => {
    const compare = await standing(3);
    damage(3, 4);
    expect(await compare()).toEqual({ kind: 'ahead', mayCut: false });
  });

  test('is known up to the head, whatever of the last batches is damaged', async () => {
    const compare = await standing(5);
    damage(4, 5);
    expect(await compare()).toEqual({ kind: 'follows', mayCut: false });
  });
});
