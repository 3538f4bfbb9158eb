import { Button } from '#web/design/button.tsx';
import { Refused, StateName } from '#web/design/facts.tsx';
import { direction, percent } from '#web/design/number-text.ts';
import { SparkLine } from '#web/design/spark-line.tsx';
import { type Column, Table } from '#web/design/table.tsx';
import { NumberText } from '#web/design/values.tsx';
import { multipleText } from '#web/office/sandbox/percent-text.ts';
import { shapeName } from '#web/office/sandbox/path-form.ts';
import { spanText } from '#web/office/sandbox/span-text.ts';
import { useControl } from '#web/office/sandbox/use-control.ts';
import type { Market, Prices } from '#web/office/sandbox/use-market.ts';

type Row = Market['markets'][number];
const usual = 1_000_000;

/** What traders are told in a market, in words. */
function conditionText({ agents, sides, spreadPpm, depthPpm, tradesPpm, endsAt }: Row, now: number): string {
  const told = [
    agents === 'on' ? '' : `traders ${agents}`,
    sides === 'both' ? '' : `only ${sides} orders`,
    spreadPpm === usual ? '' : `spread ${multipleText(spreadPpm)}`,
    depthPpm === usual ? '' : `depth ${multipleText(depthPpm)}`,
    tradesPpm === usual ? '' : `trades ${multipleText(tradesPpm)}`,
  ].filter((text) => text !== '');
  if (told.length === 0) return 'as usual';
  return (
    told.join(', ') + (endsAt === null ? '' : `, for ${spanText(Math.ceil(Math.max(0, endsAt - now) / 1000) * 1000)}`)
  );
}

function columnsOf(market: Market, prices: Prices): readonly Column<Row>[] {
  const changeOf = (row: Row): number => {
    const seen = prices.get(row.market) ?? [];
    return (seen.at(-1) ?? 1) / (seen[0] ?? 1) - 1;
  };
  const pathOf = ({ base }: Row) => market.values.find(({ asset }) => asset === base);
  return [
    { title: 'Market', cell: (row) => row.market },
    { title: 'Last price', cell: (row) => <NumberText value={row.price} />, isRight: true },
    {
      title: 'Since opened',
      cell: (row) => <span class={`number ${direction(changeOf(row))}`}>{percent(changeOf(row))}</span>,
      isRight: true,
    },
    {
      title: 'Line',
      cell: (row) => (
        <div class="market-spark">
          <SparkLine values={prices.get(row.market) ?? []} style={direction(changeOf(row))} />
        </div>
      ),
    },
    { title: 'Path', cell: (row) => shapeName(pathOf(row)?.path ?? null) },
    { title: 'Traders', cell: (row) => conditionText(row, market.now) },
    {
      title: 'State',
      cell: ({ isHalted }) => <StateName text={isHalted ? 'halted' : 'open'} standing={isHalted ? 'bad' : 'good'} />,
    },
  ];
}

interface MarketTableProps {
  readonly market: Market;
  readonly prices: Prices;
  readonly onChange: () => void;
}

/** Every pair and contract live: price, path, what traders are told, and the way to halt it or let it resume. */
export function MarketTable({ market, prices, onChange }: MarketTableProps) {
  const control = useControl();
  const turn = async ({ market: name, isHalted }: Row): Promise<void> => {
    if (isHalted) await control.run('resumeMarket', { market: name }, `${name} takes orders again.`);
    else await control.run('haltMarkets', { markets: [name] }, `${name} is halted.`);
    onChange();
  };
  const acts: Column<Row> = {
    title: '',
    cell: (row) => (
      <Button
        isSmall
        disabled={control.isBusy}
        aria-label={`${row.isHalted ? 'Resume' : 'Halt'} ${row.market}`}
        onClick={() => void turn(row)}
      >
        {row.isHalted ? 'Resume' : 'Halt'}
      </Button>
    ),
  };
  return (
    <>
      <Table
        label="Pairs and contracts"
        columns={[...columnsOf(market, prices), acts]}
        rows={market.markets}
        keyOf={(row) => row.market}
        empty="The simulated traders trade nothing."
      />
      <Refused text={control.faults[''] ?? null} />
    </>
  );
}
