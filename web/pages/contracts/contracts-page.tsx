import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { CandleChart } from '#web/chart/candle-chart.tsx';
import { contractCandles, type ContractPrice } from '#web/data/candles.ts';
import { type Contract, contracts, contractsFault, followContracts, readContracts } from '#web/data/contracts.ts';
import { Empty, Failure, Loading } from '#web/design/states.tsx';
import { Tabs } from '#web/design/tabs.tsx';
import { ContractHeader } from '#web/pages/contracts/contract-header.tsx';
import {
  ContractBook,
  ContractDeals,
  FundHistory,
  FundingHistory,
  TierTable,
} from '#web/pages/contracts/contract-panels.tsx';
import '#web/pages/panes.css';
import '#web/pages/contracts/contracts.css';
import { exchange } from '#web/shell/exchange-facts.ts';
import { goTo, type PathParts } from '#web/shell/router.ts';

type History = 'funding' | 'fund' | 'tiers';

function HistoryPanel({ contract }: { readonly contract: Contract }) {
  const [view, setView] = useState<History>('funding');
  return (
    <section class="pane contract-history" aria-label="History and tiers">
      <div class="pane-head">
        <Tabs
          label="History and tiers"
          chosen={view}
          onChoose={setView}
          tabs={[
            { id: 'funding', title: 'Funding history' },
            { id: 'fund', title: 'Insurance fund' },
            { id: 'tiers', title: 'Risk tiers' },
          ]}
        />
      </div>
      <div class="pane-scroll">
        {view === 'funding' ? <FundingHistory contract={contract} /> : null}
        {view === 'fund' ? <FundHistory contract={contract} /> : null}
        {view === 'tiers' ? <TierTable contract={contract} /> : null}
      </div>
    </section>
  );
}

const prices: readonly { readonly id: ContractPrice; readonly title: string }[] = [
  { id: 'last', title: 'Last price' },
  { id: 'index', title: 'Index' },
  { id: 'fair', title: 'Fair price' },
];

/** Candles of the last, index or fair price; of the fair price where nothing was traded yet. DEC-WEB-17. */
function PicturePanel({ contract }: { readonly contract: Contract }) {
  const [price, setPrice] = useState<ContractPrice>('last');
  const [isChosen, setChosen] = useState(false);
  const source = useMemo(() => contractCandles(contract.symbol, price), [contract.symbol, price]);
  const turnToFair = useCallback(() => {
    if (!isChosen && price === 'last') setPrice('fair');
  }, [isChosen, price]);
  return (
    <section class="pane contract-picture" aria-label="Chart">
      <div class="pane-head">
        <Tabs
          label="Price of the candles"
          tabs={prices}
          chosen={price}
          onChoose={(chosen) => {
            setChosen(true);
            setPrice(chosen);
          }}
        />
      </div>
      <CandleChart
        source={source}
        decimals={contract.priceScale}
        emptyText={price === 'last' ? 'Nothing was traded yet.' : 'There is no such price yet.'}
        onEmpty={turnToFair}
      />
    </section>
  );
}

function ContractView({ contract }: { readonly contract: Contract }) {
  useEffect(() => {
    document.title = `${contract.symbol} · ${exchange.name}`;
  }, [contract.symbol]);
  return (
    <div class="contract-view">
      <ContractHeader contract={contract} />
      <nav class="pane contract-list" aria-label="Contracts">
        {(contracts.value ?? []).map(({ symbol }) => (
          <a
            key={symbol}
            href={`/contracts/${encodeURIComponent(symbol)}`}
            aria-current={symbol === contract.symbol ? 'page' : undefined}
          >
            {symbol.replace('_', '/')}
          </a>
        ))}
      </nav>
      <PicturePanel key={contract.symbol} contract={contract} />
      <ContractBook contract={contract} />
      <ContractDeals contract={contract} />
      <HistoryPanel key={contract.symbol} contract={contract} />
    </div>
  );
}

/** A contract to look at: the public API has no orders of contracts. DEC-WEB-14. */
export function Page({ parts }: { readonly parts: PathParts }) {
  useEffect(() => followContracts(), []);
  const symbol = parts['contract'];
  const first = contracts.value?.[0]?.symbol;
  useEffect(() => {
    if (symbol === undefined && first !== undefined) goTo(`/contracts/${encodeURIComponent(first)}`, true);
  }, [symbol, first]);
  if (contracts.value === null)
    return contractsFault.value === null ? (
      <Loading text="Reading the contracts" />
    ) : (
      <Failure text={contractsFault.value} onRetry={() => void readContracts()} />
    );
  const contract = contracts.value.find((each) => each.symbol === symbol);
  if (contract !== undefined) return <ContractView contract={contract} />;
  if (symbol === undefined && first !== undefined) return <Loading />;
  return (
    <Empty text={symbol === undefined ? 'No contract is listed.' : `There is no contract ${symbol}.`}>
      <a href="/">All markets</a>
    </Empty>
  );
}
