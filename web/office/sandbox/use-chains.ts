import { useCallback, useEffect, useState } from 'preact/hooks';
import { type Answer, callOffice, type Item } from '#web/office/data/office-calls.ts';
import { type Reading, useList } from '#web/office/data/use-office.ts';

/** How a simulated network stands. */
export type ChainState = Answer<'getChain'>;
/** A coin with the networks that it has. */
export type ChainCoin = Pick<Item<'listAssets'>, 'asset' | 'networks'>;

const everyMs = 1500;
const coinsMax = 200;

/** Coins that are on a network. */
export const coinsOn = (coins: readonly ChainCoin[], network: string): readonly string[] =>
  coins.filter(({ networks }) => networks.includes(network)).map(({ asset }) => asset);

/** All simulated networks with their coins, read again and again. */
export function useChains(): Reading<readonly ChainState[]> & { readonly coins: readonly ChainCoin[] } {
  const coins = useList('listAssets', { limit: coinsMax });
  const names = [...new Set((coins.value ?? []).flatMap(({ networks }) => networks))].sort();
  const of = names.join();
  const [round, setRound] = useState(0);
  const [value, setValue] = useState<readonly ChainState[] | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    if (of === '') return;
    let isCurrent = true;
    const ask = async (): Promise<void> => {
      const states = await Promise.allSettled(
        names.map(async (network) => (await callOffice('getChain', { network })).answer),
      );
      if (!isCurrent) return;
      // A network that is not simulated, such as one of a custody file, has nothing to show.
      const simulated = states.flatMap((state) => (state.status === 'fulfilled' ? [state.value] : []));
      const [refused] = states.flatMap((state) => (state.status === 'rejected' ? [state.reason as Error] : []));
      setValue(simulated);
      setFault(simulated.length === 0 ? (refused?.message ?? null) : null);
    };
    void ask();
    const timer = setInterval(() => void ask(), everyMs);
    return () => {
      isCurrent = false;
      clearInterval(timer);
    };
  }, [of, round]);
  return {
    value,
    tag: null,
    fault: fault ?? coins.fault,
    coins: coins.value ?? [],
    reload: useCallback(() => setRound((count) => count + 1), []),
  };
}
