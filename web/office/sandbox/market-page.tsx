import { Empty } from '#web/design/states.tsx';
import { OfficePage, Part } from '#web/office/parts/office-page.tsx';
import { SteadyView } from '#web/office/sandbox/steady-view.tsx';
import { useOperation } from '#web/office/parts/use-operation.ts';
import { LeadPrices } from '#web/office/sandbox/lead-prices.tsx';
import { MarketConditions } from '#web/office/sandbox/market-conditions.tsx';
import { MarketTable } from '#web/office/sandbox/market-table.tsx';
import { useMarket } from '#web/office/sandbox/use-market.ts';
import '#web/office/sandbox/sandbox.css';

function Market() {
  const { reading, prices } = useMarket();
  const onChange = reading.reload;
  return (
    <SteadyView reading={reading}>
      {(market) => (
        <>
          {market.isActing ? null : (
            <p class="office-note">The simulated traders act at another node of the cluster, which leads it.</p>
          )}
          <LeadPrices market={market} onChange={onChange} />
          <Part title="Pairs and contracts">
            <MarketTable {...{ market, prices, onChange }} />
          </Part>
          <MarketConditions market={market} onChange={onChange} />
        </>
      )}
    </SteadyView>
  );
}

function Content() {
  const operation = useOperation('getMarket');
  return operation === undefined ? (
    <Empty text="This sandbox has no simulated traders: it was started with --no-simulate." />
  ) : (
    <Market />
  );
}

/** The simulated market of a sandbox: prices, paths, halts, and what the traders are told. DEC-WEB-62. */
export const Page = () => (
  <OfficePage title="Market" scope="market:control">
    <Content />
  </OfficePage>
);
