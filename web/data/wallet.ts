import { useEffect, useMemo } from 'preact/hooks';
import type { AnswerOf } from '#client/client.ts';
import { accountFault, balances, followAccount, readAccount } from '#web/data/account.ts';
import { isNothing, sumOf } from '#web/data/amounts.ts';
import { type Answer, useAnswer } from '#web/data/use-answer.ts';

/** A coin with its networks. */
export type Coin = AnswerOf<'coinConfiguration'>[number];
/** A network of a coin. */
export type CoinNetwork = Coin['networkList'][number];
/** A deposit, and a withdrawal, as histories tell them. */
export type Deposit = AnswerOf<'deposits'>[number];
export type Withdrawal = AnswerOf<'withdrawals'>[number];

/** How often what may change by itself is read again. */
export const watchMs = 2000;

/** Every coin with its networks, by name. */
export const useCoins = (): Answer<readonly Coin[]> =>
  useAnswer(async (client) => (await client.coinConfiguration()).toSorted((a, b) => (a.coin < b.coin ? -1 : 1)), []);

/** What an account owns of an asset in its spot wallet. */
export interface Holding {
  readonly asset: string;
  readonly free: string;
  /** Held by orders and withdrawals. */
  readonly held: string;
  readonly total: string;
}

/** What the spot wallet holds; it follows the private streams. DEC-WEB-32. */
export function useHoldings(): Answer<readonly Holding[]> {
  useEffect(() => followAccount(), []);
  const known = balances.value;
  const value = useMemo(
    () =>
      known === null ? null : Array.from(known.values(), (each) => ({ ...each, total: sumOf([each.free, each.held]) })),
    [known],
  );
  return { value, fault: accountFault.value, reload: () => void readAccount() };
}

/** What is free of an asset; `null` until it was read. */
export const freeOf = (holdings: readonly Holding[] | null, asset: string): string | null =>
  holdings === null ? null : (holdings.find((each) => each.asset === asset)?.free ?? '0');

/** Assets of which something is there. */
export const heldAssets = (holdings: readonly Holding[] | null): readonly string[] =>
  (holdings ?? []).filter(({ total }) => !isNothing(total)).map(({ asset }) => asset);

/** The name of a network for people: its label, and its code where that is another. */
export const networkName = ({ network, netWork }: CoinNetwork): string =>
  network.includes(netWork) ? network : `${network} (${netWork})`;

/** An id for an act, of letters and digits, which makes a repetition of it the same act. DEC-WEB-35. */
export const newActId = (): string => crypto.randomUUID().replaceAll('-', '');
