import { useEffect, useState } from 'preact/hooks';
import { contracts, contractsFault, contractTickers, followContracts, readContracts } from '#web/data/contracts.ts';
import { days, favourites, followMarkets, pairs, pairsByName, pairsFault, readMarkets } from '#web/data/markets.ts';
import { session } from '#web/data/session.ts';
import { Button } from '#web/design/button.tsx';
import { Empty, Failure, Loading } from '#web/design/states.tsx';
import { Tabs } from '#web/design/tabs.tsx';
import { contractRow, type MarketRow, type Order, pairRow, shownRows } from '#web/pages/markets/market-rows.ts';
import { MarketsTable } from '#web/pages/markets/markets-table.tsx';
import '#web/pages/markets/markets.css';
import { exchange } from '#web/shell/exchange-facts.ts';
import { openSignIn } from '#web/shell/sign-in.tsx';

type View = 'all' | 'favourites' | 'contracts';

/** Lines of a view; `null` until they were read. */
function rowsOf(view: View): readonly MarketRow[] | null {
  if (view === 'contracts')
    return (
      contracts.value?.map((contract) => contractRow(contract, contractTickers.value.get(contract.symbol))) ?? null
    );
  const shown = pairs.value?.filter(({ symbol }) => view === 'all' || favourites.value.has(symbol));
  return shown?.map((pair) => pairRow(pair, days.value.get(pair.symbol))) ?? null;
}

const emptyTexts: Readonly<Record<View, string>> = {
  all: 'No pair is listed.',
  favourites: 'No favourites yet: the star beside a pair marks one.',
  contracts: 'No contract is listed.',
};

/** The way to the terminal of the best known pair, or of the first one. */
function TradeLink() {
  const pair = pairsByName.value.get('BTCUSDT') ?? pairs.value?.[0];
  return pair === undefined ? null : (
    <a class="button small primary" href={`/trade/${encodeURIComponent(pair.symbol)}`}>
      Trade {pair.symbol}
    </a>
  );
}

/** What a sandbox says at the top. */
const SandboxNote = () => (
  <div class="card sandbox-note">
    <div>
      <b>This is a sandbox.</b> Money is play money, traders are simulated, and nothing leaves this machine.
    </div>
    <div class="sandbox-acts">
      {session.value !== null ? (
        <TradeLink />
      ) : exchange.hasDemoKeys ? (
        <Button kind="primary" isSmall onClick={openSignIn}>
          Use a demo account
        </Button>
      ) : null}
      <a class="button small" href="/docs/">
        API reference
      </a>
      {exchange.operatorUrl === null ? null : (
        <a class="button small" href={`${exchange.operatorUrl}/docs`}>
          Operator API
        </a>
      )}
    </div>
  </div>
);

interface MarketListProps {
  readonly view: View;
  readonly words: string;
}

function MarketList({ view, words }: MarketListProps) {
  const [order, setOrder] = useState<Order>('listed');
  const [isBackwards, setBackwards] = useState(false);
  const rows = rowsOf(view);
  const fault = view === 'contracts' ? contractsFault.value : pairsFault.value;
  if (rows === null)
    return fault === null ? (
      <Loading text="Reading the markets" />
    ) : (
      <Failure text={fault} onRetry={() => void (view === 'contracts' ? readContracts() : readMarkets())} />
    );
  if (rows.length === 0) return <Empty text={emptyTexts[view]} />;
  const shown = shownRows(rows, { words, order, isBackwards });
  if (shown.length === 0) return <Empty text={`Nothing here is named “${words}”.`} />;
  const orderBy = (by: Order): void => {
    setBackwards(by === order ? !isBackwards : false);
    setOrder(by);
  };
  return (
    <MarketsTable
      label={view === 'contracts' ? 'Contracts' : 'Pairs'}
      rows={shown}
      order={order}
      isBackwards={isBackwards}
      onOrder={orderBy}
    />
  );
}

/** All that is traded here, with its day. DEC-WEB-05. */
export function Page() {
  const [view, setView] = useState<View>('all');
  const [words, setWords] = useState('');
  useEffect(() => followMarkets(), []);
  useEffect(() => followContracts(), []);
  return (
    <div class="markets-page">
      <h1>Markets</h1>
      {exchange.profile === 'sandbox' ? <SandboxNote /> : null}
      <div class="card">
        <div class="markets-head">
          <Tabs
            label="Markets"
            chosen={view}
            onChoose={setView}
            tabs={[
              { id: 'all', title: 'Pairs', count: pairs.value?.length },
              { id: 'favourites', title: 'Favourites', count: favourites.value.size },
              { id: 'contracts', title: 'Contracts', count: contracts.value?.length },
            ]}
          />
          <input
            type="search"
            class="markets-search"
            placeholder="Search"
            aria-label="Search the markets"
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
        </div>
        <MarketList view={view} words={words} />
      </div>
    </div>
  );
}
