import { lastMoveOf, lastPriceOf } from '#web/data/last-price.ts';
import { days, type Pair } from '#web/data/markets.ts';
import { DownIcon } from '#web/design/icons.tsx';
import { compact, direction, grouped, percent } from '#web/design/number-text.ts';
import { Figure } from '#web/pages/figure.tsx';

interface PairHeaderProps {
  readonly pair: Pair;
  readonly isListOpen: boolean;
  readonly onList: () => void;
}

/** Name, last price and day of a pair; the name opens the list of pairs. */
export function PairHeader({ pair, isListOpen, onList }: PairHeaderProps) {
  const day = days.value.get(pair.symbol);
  const last = lastPriceOf(pair.symbol);
  const price = (text: string | undefined): string => (text === undefined ? '–' : grouped(text, pair.quotePrecision));
  return (
    <div class="pane pair-header">
      <div>
        <h1>
          <button type="button" class="pair-button" aria-expanded={isListOpen} onClick={onList}>
            {pair.baseAsset}/{pair.quoteAsset}
            <DownIcon />
          </button>
        </h1>
        <span class="soft">{pair.fullName}</span>
      </div>
      <span class={`last-price number ${direction(lastMoveOf(pair.symbol))}`}>{price(last ?? undefined)}</span>
      <dl class="figures">
        <Figure name="24 h change">
          <span class={direction(day?.change ?? 0)}>{day === undefined ? '–' : percent(day.change)}</span>
        </Figure>
        <Figure name="24 h high">{price(day?.high)}</Figure>
        <Figure name="24 h low">{price(day?.low)}</Figure>
        <Figure name={`24 h volume (${pair.baseAsset})`}>
          {day === undefined ? '–' : compact(Number(day.volume))}
        </Figure>
        <Figure name={`24 h turnover (${pair.quoteAsset})`}>
          {day === undefined ? '–' : compact(Number(day.turnover))}
        </Figure>
      </dl>
    </div>
  );
}
