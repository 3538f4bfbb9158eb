import { useEffect, useState } from 'preact/hooks';
import { days, favourites, pairs } from '#web/data/markets.ts';
import { closesOf } from '#web/data/closes.ts';
import { direction, percent } from '#web/design/number-text.ts';
import { SparkLine } from '#web/design/spark-line.tsx';
import { Empty, Loading } from '#web/design/states.tsx';
import { NumberText } from '#web/design/values.tsx';
import { FavouriteButton } from '#web/pages/favourite-button.tsx';
import { type MarketRow, pairRow, shownRows } from '#web/pages/markets/market-rows.ts';

function useCloses(symbol: string): readonly number[] {
  const [closes, setCloses] = useState<readonly number[]>([]);
  useEffect(() => void closesOf('spot', symbol).then(setCloses), [symbol]);
  return closes;
}

function PairRow({ row, isChosen }: { readonly row: MarketRow; readonly isChosen: boolean }) {
  return (
    <li class={isChosen ? 'chosen' : ''}>
      <FavouriteButton symbol={row.symbol} name={row.name} />
      <a href={row.href} aria-current={isChosen ? 'page' : undefined}>
        <span class="pair-name">{row.name}</span>
        <span class="pair-spark">
          <SparkLine values={useCloses(row.symbol)} style={direction(row.change)} />
        </span>
        <span class="pair-figures">
          <NumberText value={row.last} decimals={row.decimals} />
          <span class={`number ${direction(row.change)}`}>{row.last === null ? '' : percent(row.change)}</span>
        </span>
      </a>
    </li>
  );
}

/** All pairs beside the chart: favourites first, found by name. */
export function PairList({ symbol }: { readonly symbol: string }) {
  const [words, setWords] = useState('');
  if (pairs.value === null) return <Loading text="Reading the pairs" />;
  const rows = pairs.value.map((pair) => pairRow(pair, days.value.get(pair.symbol)));
  const found = shownRows(rows, { words, order: 'listed', isBackwards: false });
  const rank = (row: MarketRow): number => (favourites.value.has(row.symbol) ? 0 : 1);
  const shown = found.toSorted((one, other) => rank(one) - rank(other));
  return (
    <nav class="pane pair-list" aria-label="Pairs">
      <div class="pane-head">
        <input
          type="search"
          placeholder="Search pairs"
          aria-label="Search pairs"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
      </div>
      {shown.length === 0 ? (
        <Empty text="No pair is named so." />
      ) : (
        <ul class="pane-scroll">
          {shown.map((row) => (
            <PairRow key={row.symbol} row={row} isChosen={row.symbol === symbol} />
          ))}
        </ul>
      )}
    </nav>
  );
}
