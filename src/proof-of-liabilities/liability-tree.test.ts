import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  LiabilityTree,
  type Liability,
  type LiabilityProof,
  proofFault,
  type Sums,
} from '#proof-of-liabilities/liability-tree.ts';

const pause = async (): Promise<void> => {};
const sums = (of: Readonly<Record<string, bigint>>): Sums => new Map(Object.entries(of));
const amounts = fc.bigInt({ min: 0n, max: 2n ** 62n });
const liabilities = fc
  .uniqueArray(fc.integer({ min: 10_000_000, max: 99_999_999 }), { minLength: 1, maxLength: 40 })
  .chain((uids) =>
    fc.tuple(
      ...uids.map((uid) =>
        fc.record({
          uid: fc.constant(String(uid)),
          salt: fc.integer().map((salt) => salt.toString(16)),
          balances: fc.dictionary(fc.constantFrom('BTC', 'USDT', 'ETH'), amounts).map(sums),
        }),
      ),
    ),
  ) as fc.Arbitrary<Liability[]>;

describe('DEC-WAL-80: proof of liabilities', () => {
  test('every account proves itself against the root, whose sums are those of all accounts', async () => {
    await fc.assert(
      fc.asyncProperty(liabilities, async (all) => {
        const tree = await LiabilityTree.over(all, pause);
        const total = new Map<string, bigint>();
        for (const { balances } of all)
          for (const [code, amount] of balances) total.set(code, (total.get(code) ?? 0n) + amount);
        for (const [code, amount] of total) expect(tree.root.sums.get(code) ?? 0n).toBe(amount);
        for (const { uid } of all) expect(proofFault(tree.proofOf(uid) as LiabilityProof, tree.root)).toBeNull();
        expect(tree.proofOf('1')).toBeNull();
      }),
      { numRuns: 60 },
    );
  });

  const all: readonly Liability[] = [
    { uid: '10000001', salt: 'a1', balances: sums({ BTC: 5n, USDT: 100n }) },
    { uid: '10000002', salt: 'b2', balances: sums({ USDT: 7n }) },
    { uid: '10000003', salt: 'c3', balances: sums({ BTC: 1n }) },
  ];
  let tree: LiabilityTree;
  let proof: LiabilityProof;
  beforeAll(async () => {
    tree = await LiabilityTree.over(all, pause);
    proof = tree.proofOf('10000002') as LiabilityProof;
  });

  test('other balances, another salt or another uid prove nothing', () => {
    for (const change of [
      { balances: sums({ USDT: 6n }) },
      { balances: sums({ USDT: 7n, BTC: 1n }) },
      { salt: 'b3' },
      { uid: '10000004' },
    ])
      expect(proofFault({ ...proof, liability: { ...proof.liability, ...change } }, tree.root)).not.toBeNull();
  });

  test('a root that promises less, and a path that hides an amount, are found', () => {
    const less = { hash: tree.root.hash, sums: sums({ BTC: 6n, USDT: 106n }) };
    expect(proofFault(proof, less)).toBe('the sums do not lead to those of the root');
    const [first, ...rest] = proof.path;
    const hiding = { ...first!, node: { hash: first!.node.hash, sums: sums({ BTC: -5n }) } };
    expect(proofFault({ ...proof, path: [hiding, ...rest] }, tree.root)).toBe('an amount of BTC is out of bounds');
    const zeroed = { ...first!, node: { hash: first!.node.hash, sums: sums({}) } };
    expect(proofFault({ ...proof, path: [zeroed, ...rest] }, tree.root)).toBe('the path does not lead to the root');
  });

  test('a proof shows neither uid nor balances of a neighbouring account but its sums', () => {
    const shown = JSON.stringify(proof.path.map(({ node }) => node.hash));
    for (const { uid, salt } of all) {
      expect(shown).not.toContain(uid);
      if (uid !== '10000002') expect(JSON.stringify(proof.liability)).not.toContain(salt);
    }
  });

  test('no accounts, the same account twice and a debt make no tree', async () => {
    const over = (liabilities: readonly Liability[]) => LiabilityTree.over(liabilities, pause);
    await expect(over([])).rejects.toThrow(RangeError);
    await expect(over([all[0]!, all[0]!])).rejects.toThrow('twice');
    await expect(over([{ uid: '1', salt: '', balances: sums({ BTC: -1n }) }])).rejects.toThrow('owes');
  });
});
