import { NetworkUnavailable } from '#custody/custody.ts';
import type { DepositView, WithdrawalView } from '#model/wallet.ts';
import { settle, type SettlementParts } from '#custody/settlement/network-settlement.ts';

/** Credits that are asked for before a withdrawal of their account is released, the newest ones. */
const creditsAsked = 100;

/**
 * Whether the chains still have what an account was credited in the last days, or the deposit that is paid back. Asked
 * before a withdrawal is released: a network that does not answer keeps it waiting, and one that misses a payment is in
 * doubt. DEC-WAL-105, DEC-OPR-217.
 */
export async function areDepositsThere(parts: SettlementParts, withdrawal: WithdrawalView): Promise<boolean> {
  const credits = [...(await parts.queries.wallet.depositsBehind(withdrawal))]
    .sort((first, second) => second.deposit - first.deposit)
    .slice(0, creditsAsked);
  for (const network of new Set(credits.map((credit) => credit.network))) {
    const own = credits.filter((credit) => credit.network === network);
    if (!(await areThere(parts, own))) return false;
  }
  return true;
}

/** The same for credits of one network. */
async function areThere(parts: SettlementParts, credits: readonly DepositView[]): Promise<boolean> {
  const { network } = credits[0]!;
  const custody = parts.custodies.get(network);
  if (custody === undefined) return true;
  try {
    const places = await custody.placesOf(credits);
    const missing = credits.filter(({ block }, index) => {
      const place = places[index] ?? null;
      return place === 'gone' || (place !== null && place.block.hash !== block?.hash);
    });
    if (missing.length === 0) return true;
    const height = Math.min(...missing.map(({ block }) => block?.height ?? 0)) - 1;
    await settle(parts, { kind: 'recordFork', network, height });
    return false;
  } catch (error) {
    if (error instanceof NetworkUnavailable) return false;
    throw error;
  }
}
