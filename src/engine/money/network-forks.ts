import type { AccountId } from '#model/units.ts';
import type { DepositSight } from '#model/wallet.ts';
import { engineLimits } from '#model/limits.ts';
import type { EngineState } from '#engine/state/state.ts';

/*
 * What a reorganisation holds up. A fork leaves the deposits above it in doubt, and so does a restart with those that
 * were seen since the last recorded position. Settlement asks custody for each and reports or removes it: that is how
 * it is judged.
 */

/** Whether no withdrawal of anybody may be released: deposits are in doubt. DEC-WAL-102. */
export const areReleasesHeld = ({ deposits }: EngineState): boolean => deposits.doubted.count > 0;

/** Whether an account moves nothing out, because a deposit of its own is in doubt. DEC-WAL-102. */
export const isInDoubt = ({ deposits }: EngineState, account: AccountId): boolean => deposits.doubted.concern(account);

/** Whether custody was asked before a fork that is recorded by now: what it said is old knowledge. DEC-WAL-101. */
export const isBeforeFork = ({ chains }: EngineState, network: string, forks: number): boolean =>
  chains.get(network)?.forks !== forks;

/** Whether custody can have said this. */
export function isSightValid({ forks, block, confirmations }: DepositSight): boolean {
  const { height, hash } = block;
  const areWhole = [forks, height, confirmations].every((value) => Number.isInteger(value) && value >= 0);
  const areBounded = confirmations < 2 ** 32 && height < 2 ** 48;
  return areWhole && areBounded && hash.length > 0 && hash.length <= engineLimits.blockHashLength;
}
