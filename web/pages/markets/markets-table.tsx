import { useEffect, useRef, useState } from 'preact/hooks';
import { closesOf } from '#web/data/closes.ts';
import { compact, direction, percent } from '#web/design/number-text.ts';
import { SparkLine } from '#web/design/spark-line.tsx';
import { NumberText } from '#web/design/values.tsx';
import { FavouriteButton } from '#web/pages/favourite-button.tsx';
import type { MarketRow, Order } from '#web/pages/markets/market-rows.ts';

/** The line of a day, read once its row is in sight. */
function DayLine({ row }: { readonly row: MarketRow }) {
  const place = useRef<HTMLSpanElement>(null);
  const [values, setValues] = useState<readonly number[]>([]);
  const { market, symbol } = row;
  useEffect(() => {
    const { current } = place;
    if (current === null) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting !== true) return;
      observer.disconnect();
      void closesOf(market, symbol).then(setValues);
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [market, symbol]);
  return (
    <span ref={place} class="day-line">
      <SparkLine values={values} style={direction(row.change)} />
    </span>
  );
}

const Row = ({ row }: { readonly row: MarketRow }) => (
  <tr>
    <th scope="row">
      <span class="market-name">
        {row.market === 'spot' ? <FavouriteButton symbol={row.symbol} name={row.name} /> : null}
        <a href={row.href}>
          <b>{row.name}</b>
          <small>{row.about}</small>
        </a>
        {row.halted === null ? null : <span class="site-tag">{row.halted}</span>}
      </span>
    </th>
    <td class="right">
      <NumberText value={row.last} decimals={row.decimals} />
    </td>
    <td class="right">
      {row.last === null ? '–' : <span class={`number ${direction(row.change)}`}>{percent(row.change)}</span>}
    </td>
    <td class="day-cell">
      <DayLine row={row} />
    </td>
    <td class="right wide">
      <NumberText value={row.high} decimals={row.decimals} />
    </td>
    <td class="right wide">
      <NumberText value={row.low} decimals={row.decimals} />
    </td>
    <td class="right medium">
      {row.last === null ? (
        '–'
      ) : (
        <>
          <span class="number">{compact(row.turnover)}</span> <small>{row.quote}</small>
        </>
      )}
    </td>
    <td class="right medium">
      <a class="button small" href={row.href} aria-label={`${row.market === 'spot' ? 'Trade' : 'View'} ${row.name}`}>
        {row.market === 'spot' ? 'Trade' : 'View'}
      </a>
    </td>
  </tr>
);

interface HeadProps {
  readonly title: string;
  readonly by: Order;
  readonly order: Order;
  readonly isBackwards: boolean;
  readonly onOrder: (order: Order) => void;
  readonly style: string;
}

/** The head of a column that lines can be ordered by. */
function Head({ title, by, order, isBackwards, onOrder, style }: HeadProps) {
  const isChosen = by === order;
  const isUp = (by === 'name') !== isBackwards;
  return (
    <th scope="col" class={style} aria-sort={isChosen ? (isUp ? 'ascending' : 'descending') : 'none'}>
      <button type="button" class="order" onClick={() => onOrder(by)}>
        {title}
        <span aria-hidden="true">{isChosen ? (isUp ? ' ↑' : ' ↓') : ''}</span>
      </button>
    </th>
  );
}

interface MarketsTableProps {
  readonly label: string;
  readonly rows: readonly MarketRow[];
  readonly order: Order;
  readonly isBackwards: boolean;
  readonly onOrder: (order: Order) => void;
}

/** Pairs or contracts with their day; each leads to its page. */
export const MarketsTable = ({ label, rows, ...ordering }: MarketsTableProps) => (
  <section class="table-frame" aria-label={label}>
    <table class="table markets">
      <thead>
        <tr>
          <Head title="Market" by="name" style="" {...ordering} />
          <Head title="Last price" by="last" style="right" {...ordering} />
          <Head title="24 h" by="change" style="right" {...ordering} />
          <th scope="col" class="day-cell">
            Last 24 hours
          </th>
          <th scope="col" class="right wide">
            High
          </th>
          <th scope="col" class="right wide">
            Low
          </th>
          <Head title="Turnover" by="turnover" style="right medium" {...ordering} />
          <th scope="col" class="right medium">
            <span class="unseen">Go there</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.symbol} row={row} />
        ))}
      </tbody>
    </table>
  </section>
);
