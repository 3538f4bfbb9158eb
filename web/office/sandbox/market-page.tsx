import { Part } from '#web/office/parts/office-page.tsx';
import { MarketControlPage } from '#web/office/sandbox/market-control-page.tsx';
import { SteadyView } from '#web/office/sandbox/steady-view.tsx';
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

/** The simulated market of a sandbox: prices, paths, halts, and what the traders are told. DEC-WEB-62. */
export const Page = () => (
  <MarketControlPage title="Market">
    <Market />
  </MarketControlPage>
);
