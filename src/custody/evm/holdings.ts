import type { Holding } from '#custody/custody.ts';
import type { EvmNode } from '#custody/evm/node.ts';

/** Owners in one round of questions. */
const ownersAtOnce = 500;

/** What `owners` have together after the newest block: the native coin, then each contract in the order given. */
export async function holdingsOf(
  node: EvmNode,
  contracts: readonly string[],
  owners: readonly string[],
): Promise<readonly Holding[]> {
  const head = await node.head();
  const totals = new Map<string | null, bigint>([null, ...contracts].map((contract) => [contract, 0n]));
  for (let first = 0; first < owners.length; first += ownersAtOnce) {
    const some = owners.slice(first, first + ownersAtOnce);
    for (const [contract, total] of totals) {
      const amounts =
        contract === null
          ? await node.balances(some, head.number)
          : await node.tokenBalances(contract, some, head.number);
      totals.set(
        contract,
        amounts.reduce((sum, amount) => sum + amount, total),
      );
    }
  }
  return [...totals].map(([contract, amount]) => ({ contract, amount }));
}
