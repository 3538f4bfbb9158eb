import { compareAmounts, downTo, isAmount, isMultiple, isNothing, lessThan, smaller } from '#web/data/amounts.ts';
import type { CoinNetwork } from '#web/data/wallet.ts';

/** What the form of a withdrawal holds. */
export interface WithdrawDraft {
  readonly address: string;
  readonly memo: string;
  readonly amount: string;
  readonly remark: string;
}

/** An empty form. */
export const emptyDraft: WithdrawDraft = { address: '', memo: '', amount: '', remark: '' };

/** Longest remark. */
export const remarkMax = 64;

/** What of an amount arrives; `null`: nothing. The fee is inside the amount. */
export const arriving = (amount: string, network: CoinNetwork): string | null => lessThan(amount, network.withdrawFee);

/** The most that can be withdrawn at once of what is free. */
export const mostOf = (free: string, network: CoinNetwork): string =>
  downTo(smaller(free, network.withdrawMax), network.withdrawIntegerMultiple);

/** What is wrong with an amount; `null`: nothing that this page knows of. */
export function faultOfAmount(amount: string, coin: string, network: CoinNetwork, free: string | null): string | null {
  if (!isAmount(amount)) return 'Write an amount in digits, such as 12.5.';
  if (isNothing(amount)) return 'Write an amount above zero.';
  if ((compareAmounts(amount, network.withdrawMin) ?? 0) < 0) return `At least ${network.withdrawMin} ${coin}.`;
  if ((compareAmounts(amount, network.withdrawMax) ?? 0) > 0) return `At most ${network.withdrawMax} ${coin}.`;
  if (!isMultiple(amount, network.withdrawIntegerMultiple ?? '0'))
    return `Only multiples of ${network.withdrawIntegerMultiple} ${coin} can be sent here.`;
  if (free !== null && (compareAmounts(amount, free) ?? 0) > 0) return `Only ${free} ${coin} are free.`;
  return arriving(amount, network) === null ? `The fee of ${network.withdrawFee} ${coin} would leave nothing.` : null;
}

/** What is wrong with each member of a form; an empty object: nothing that this page knows of. DEC-WEB-34. */
export function faultsOf(
  draft: WithdrawDraft,
  { coin, network, free }: { readonly coin: string; readonly network: CoinNetwork; readonly free: string | null },
): Partial<Record<keyof WithdrawDraft, string>> {
  const amount = faultOfAmount(draft.amount.trim(), coin, network, free);
  return {
    ...(draft.address.trim() === '' ? { address: 'Write the address to pay to.' } : {}),
    ...(amount === null ? {} : { amount }),
    ...([...draft.remark].length > remarkMax ? { remark: `At most ${remarkMax} characters.` } : {}),
  };
}
