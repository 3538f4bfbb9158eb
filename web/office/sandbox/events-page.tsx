import { useCall } from '#web/office/data/use-office.ts';
import { Part } from '#web/office/parts/office-page.tsx';
import { MarketControlPage } from '#web/office/sandbox/market-control-page.tsx';
import { SteadyView } from '#web/office/sandbox/steady-view.tsx';
import { Funding, Liquidations } from '#web/office/sandbox/contract-events.tsx';
import { ControlForm } from '#web/office/sandbox/control-form.tsx';
import { Replays } from '#web/office/sandbox/replays.tsx';
import '#web/office/sandbox/sandbox.css';

/** Whether a market is a contract, by its name. */
const isContract = (name: string): boolean => name.includes('_');

function Events() {
  const market = useCall('getMarket', {});
  return (
    <SteadyView reading={market}>
      {({ markets, values }) => {
        const names = markets.map((each) => each.market);
        return (
          <>
            <div class="office-cards">
              <Part title="New coin and pair">
                <ControlForm
                  id="openPair"
                  act="Open the pair"
                  done={(pair) => `${pair.market} is open, and traded.`}
                  onDone={market.reload}
                />
              </Part>
              <Part title="New contract">
                <ControlForm
                  id="openContract"
                  act="Open the contract"
                  choices={{ base: values.map(({ asset }) => asset) }}
                  done={(contract) => `${contract.market} is open, and traded.`}
                  onDone={market.reload}
                />
              </Part>
              <Funding contracts={names.filter(isContract)} />
            </div>
            <Liquidations contracts={names.filter(isContract)} />
            <Replays markets={names} />
          </>
        );
      }}
    </SteadyView>
  );
}

/** What happens in a market once in a while: listings, fundings, liquidations, recordings. DEC-WEB-62. */
export const Page = () => (
  <MarketControlPage title="Events">
    <Events />
  </MarketControlPage>
);
