import type { BourseClient } from '#client/client.ts';
import { type Contract, contractTickers } from '#web/data/contracts.ts';
import { compact, direction, grouped, percent } from '#web/design/number-text.ts';
import { Empty, Failure, Loading } from '#web/design/states.tsx';
import { Table } from '#web/design/table.tsx';
import { TimeText } from '#web/design/values.tsx';
import { type Reading, useReading } from '#web/pages/contracts/contract-facts.ts';
import { riskTiers } from '#web/pages/contracts/risk-tiers.ts';

const bookMs = 1000;
const historyMs = 60_000;
const levels = 10;
/** Funding rates have more decimals than other changes. */
const rateDecimals = 4;

interface OfContract {
  readonly contract: Contract;
}

/** What is shown of a reading until it is there. */
const Waiting = ({ fault }: Pick<Reading<unknown>, 'fault'>) =>
  fault === null ? <Loading /> : <Failure text={fault} />;

/** The order book of a contract, in contracts. */
export function ContractBook({ contract }: OfContract) {
  const ask = (client: BourseClient, symbol: string) => client.futuresDepth({ symbol, limit: levels });
  const { value, fault } = useReading(contract.symbol, ask, bookMs);
  const row = (style: string) => (level: readonly [number, number, number]) => (
    <tr key={level[0]}>
      <td class={style}>{grouped(level[0].toFixed(contract.priceScale))}</td>
      <td>{grouped(String(level[2]))}</td>
    </tr>
  );
  const last = contractTickers.value.get(contract.symbol);
  return (
    <section class="pane contract-book" aria-label="Order book">
      <div class="pane-head">
        <h2>Order book</h2>
      </div>
      {value === null ? (
        <Waiting fault={fault} />
      ) : value.asks.length + value.bids.length === 0 ? (
        <Empty text="Nobody offers anything." />
      ) : (
        <table class="book-table">
          <thead>
            <tr>
              <th scope="col">Price ({contract.quoteCoin})</th>
              <th scope="col">Contracts</th>
            </tr>
          </thead>
          <tbody>{value.asks.toReversed().map(row('down'))}</tbody>
          <tbody>
            <tr class="book-middle">
              <td colSpan={2}>
                <div class="book-middle-line">
                  <span class={`price ${direction(last?.riseFallRate ?? 0)}`}>
                    {last === undefined ? '–' : grouped(last.lastPrice.toFixed(contract.priceScale))}
                  </span>
                  <span class="soft">
                    {last === undefined ? '' : `Fair ${last.fairPrice.toFixed(contract.priceScale)}`}
                  </span>
                </div>
              </td>
            </tr>
          </tbody>
          <tbody>{value.bids.map(row('up'))}</tbody>
        </table>
      )}
    </section>
  );
}

/** The newest trades of a contract. */
export function ContractDeals({ contract }: OfContract) {
  const ask = (client: BourseClient, symbol: string) => client.futuresDeals({ symbol, limit: 30 });
  const { value, fault } = useReading(contract.symbol, ask, bookMs * 2);
  return (
    <section class="pane contract-deals" aria-label="Trades">
      <div class="pane-head">
        <h2>Trades</h2>
      </div>
      {value === null ? (
        <Waiting fault={fault} />
      ) : value.length === 0 ? (
        <Empty text="Nothing was traded yet." />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what is longer than its panel
        <div class="pane-scroll" tabIndex={0}>
          <table class="book-table">
            <thead>
              <tr>
                <th scope="col">Price ({contract.quoteCoin})</th>
                <th scope="col">Contracts</th>
                <th scope="col">Time</th>
              </tr>
            </thead>
            <tbody>
              {value.map(({ p, v, T, t }, index) => (
                <tr key={`${t} ${index}`}>
                  <td class={T === 1 ? 'up' : 'down'}>{grouped(p.toFixed(contract.priceScale))}</td>
                  <td>{grouped(String(v))}</td>
                  <td>
                    <TimeText at={t} isShort />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

/** Rates that were paid, newest first. */
export function FundingHistory({ contract }: OfContract) {
  const ask = (client: BourseClient, symbol: string) => client.futuresFundingHistory({ symbol, page_size: 50 });
  const { value, fault } = useReading(contract.symbol, ask, historyMs);
  if (value === null) return <Waiting fault={fault} />;
  return (
    <Table
      label="Funding history"
      empty="No rate was paid yet."
      rows={value.resultList}
      keyOf={({ settleTime }) => String(settleTime)}
      columns={[
        { title: 'Paid', cell: ({ settleTime }) => <TimeText at={settleTime} /> },
        {
          title: 'Rate',
          isRight: true,
          cell: ({ fundingRate }) => (
            <span class={`number ${direction(fundingRate)}`}>{percent(fundingRate, rateDecimals)}</span>
          ),
        },
      ]}
    />
  );
}

/** Balances of the insurance fund, newest first. */
export function FundHistory({ contract }: OfContract) {
  const ask = (client: BourseClient, symbol: string) => client.futuresFundHistory({ symbol, page_size: 50 });
  const { value, fault } = useReading(contract.symbol, ask, historyMs);
  if (value === null) return <Waiting fault={fault} />;
  return (
    <Table
      label="Insurance fund"
      empty="The fund has no history yet."
      rows={value.resultList}
      keyOf={({ snapshotTime }) => String(snapshotTime)}
      columns={[
        { title: 'Time', cell: ({ snapshotTime }) => <TimeText at={snapshotTime} /> },
        {
          title: 'Balance',
          isRight: true,
          cell: ({ available, currency }) => (
            <span class="number">
              {grouped(available.toFixed(2))} {currency}
            </span>
          ),
        },
      ]}
    />
  );
}

/** How much margin positions of a size need. */
export const TierTable = ({ contract }: OfContract) => (
  <Table
    label="Risk tiers"
    empty="No tiers."
    rows={riskTiers(contract)}
    keyOf={({ level }) => String(level)}
    columns={[
      { title: 'Tier', cell: ({ level }) => level },
      {
        title: 'Up to (contracts)',
        isRight: true,
        cell: ({ maxVol }) => <span class="number">{compact(maxVol)}</span>,
      },
      {
        title: 'Maintenance margin',
        isRight: true,
        cell: ({ maintenanceRate }) => <span class="number">{percent(maintenanceRate).replace('+', '')}</span>,
      },
      {
        title: 'Initial margin',
        isRight: true,
        cell: ({ initialRate }) => <span class="number">{percent(initialRate).replace('+', '')}</span>,
      },
      { title: 'Leverage', isRight: true, cell: ({ maxLeverage }) => `${maxLeverage}×` },
    ]}
  />
);
