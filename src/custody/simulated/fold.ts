import { balanceOf } from '#custody/simulated/network-chain.ts';
import type { NetworkChain, SimulatedTransaction } from '#custody/simulated/network-chain.ts';
import { coinTexts } from '#custody/simulated/network-chain.ts';

/** More transactions than this are kept only while they are young. */
const keptCount = 10_000;
/** Forgetting fewer is not worth a record. */
const foldedCountMin = 1_000;
const day = 86_400_000;
/** Longer than the exchange asks for the confirmations of a deposit. */
const keptMs = 4 * day;
const keptBlocks = 1_000;

/**
 * The oldest transactions that nobody will ask for again, as a sum; `null` where there are not enough. They are final,
 * old, and `seenHeight`, a block that the custodian has seen, is not before theirs.
 */
export function foldOf(
  chain: NetworkChain,
  now: { readonly at: number; readonly seenHeight: number; readonly isOurs: (address: string) => boolean },
): { readonly count: number; readonly sums: readonly (readonly [string, string])[] } | null {
  if (chain.transactionCount < keptCount + foldedCountMin) return null;
  const height = Math.min(now.seenHeight, chain.blocks.heightAt(now.at) - keptBlocks);
  const folded: SimulatedTransaction[] = [];
  for (const transaction of chain.all()) {
    const isOld = transaction.sentAt <= now.at - keptMs && transaction.minedHeight <= height;
    if (!isOld || folded.length === chain.transactionCount - keptCount) break;
    folded.push(transaction);
  }
  if (folded.length < foldedCountMin) return null;
  return { count: folded.length, sums: coinTexts(balanceOf(folded, now.isOurs)) };
}
