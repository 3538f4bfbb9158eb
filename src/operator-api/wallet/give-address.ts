import { wireLimits } from '#http/limits.ts';
import type { DepositAddress } from '#model/wallet.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import type { Act } from '#operator-api/requests/act.ts';
import { Problem } from '#operator-api/requests/problems.ts';

const { addressAttempts } = wireLimits.wallet;

/** Whether somebody else got the index or the account its address in the meantime. */
const isOvertaken = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 'addressIndexTaken' || error.code === 'addressInUse');

/**
 * The address of an account on a network: custody derives the next one where there is none, and the engine records
 * whose it is. DEC-OPR-16.
 * @throws Problem `networkUnavailable` if custody gives none now, or of the engine's refusal
 */
export async function giveAddress(
  { queries: { wallet }, custody }: Pick<OperatorContext, 'queries' | 'custody'>,
  act: Act,
  { account, network }: Pick<DepositAddress, 'account' | 'network'>,
): Promise<DepositAddress> {
  for (let attempt = 0; attempt < addressAttempts; attempt += 1) {
    const known = await wallet.depositAddress(account, network);
    if (known !== null) return known;
    const index = (await wallet.chain(network))?.addressCount;
    const derived = index === undefined ? undefined : await custody.get(network)?.depositAddress(index);
    if (index === undefined || derived === undefined || derived === null) break;
    try {
      await act({ kind: 'assignDepositAddress', account, network, index, ...derived });
    } catch (error) {
      if (!isOvertaken(error)) throw error;
    }
  }
  throw new Problem('networkUnavailable');
}
