import { Empty } from '#web/design/states.tsx';
import { useCall } from '#web/office/data/use-office.ts';
import { OfficePage, Part } from '#web/office/parts/office-page.tsx';
import { SteadyView } from '#web/office/sandbox/steady-view.tsx';
import { useOperation } from '#web/office/parts/use-operation.ts';
import { AdvanceForm, AdvanceProgress } from '#web/office/sandbox/clock-advance.tsx';
import { ClockFace } from '#web/office/sandbox/clock-face.tsx';
import { ClockMode } from '#web/office/sandbox/clock-mode.tsx';
import { UntilForm } from '#web/office/sandbox/clock-until.tsx';
import { useClock } from '#web/office/sandbox/use-clock.ts';
import '#web/office/sandbox/sandbox.css';

function Clock() {
  const clock = useClock();
  const market = useCall('getMarket', {});
  const names = market.value?.markets.map((each) => each.market) ?? [];
  return (
    <SteadyView reading={clock}>
      {(state) => (
        <>
          <Part title="What it shows">
            <ClockFace state={state} />
            <AdvanceProgress state={state} onChange={clock.reload} />
          </Part>
          <div class="office-cards">
            <Part title="How it goes on">
              <ClockMode state={state} onChange={clock.reload} />
            </Part>
            <Part title="Advance">
              <AdvanceForm state={state} onChange={clock.reload} />
            </Part>
            <Part title="Advance until something happens">
              <UntilForm isAdvancing={state.advance !== null} markets={names} onChange={clock.reload} />
            </Part>
          </div>
        </>
      )}
    </SteadyView>
  );
}

function Content() {
  const operation = useOperation('getClock');
  return operation === undefined ? (
    <Empty text="This exchange has no clock of its own: nodes of a cluster go by the clocks of their machines." />
  ) : (
    <Clock />
  );
}

/** The clock of a sandbox: what it shows, how it goes on, and ways to let time pass. DEC-WEB-61. */
export const Page = () => (
  <OfficePage title="Clock" scope="market:control">
    <Content />
  </OfficePage>
);
