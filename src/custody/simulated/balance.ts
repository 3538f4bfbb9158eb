import type { SimulatedTransaction } from '#custody/simulated/network-chain.ts';

/** What transactions bring the exchange by coin: paid in, less paid out, less network fees of the native coin. */
export function balanceOf(
  transactions: readonly SimulatedTransaction[],
  isOurs: (address: string) => boolean,
): Map<string | null, bigint> {
  const sums = new Map<string | null, bigint>();
  const add = (contract: string | null, amount: bigint): void => {
    sums.set(contract, (sums.get(contract) ?? 0n) + amount);
  };
  for (const { address, contract, amount, outgoing } of transactions) {
    if (isOurs(address)) add(contract, amount);
    if (outgoing === null) continue;
    add(contract, -amount);
    add(null, -outgoing.fee);
  }
  return sums;
}
