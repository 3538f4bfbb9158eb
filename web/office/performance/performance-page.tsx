import { Failure, Loading } from '#web/design/states.tsx';
import { OfficePage } from '#web/office/parts/office-page.tsx';
import { charts } from '#web/office/performance/charts.ts';
import { MetricCard } from '#web/office/performance/metric-card.tsx';
import '#web/office/performance/performance.css';
import { everyMs, type Samples, useSamples } from '#web/office/performance/use-samples.ts';

function Charts() {
  const seen = useSamples();
  if (seen === null) return <Loading />;
  return (
    <>
      {seen.isAnswered ? null : <Failure text="The exchange does not answer. The charts go on when it does." />}
      <div class="office-cards metric-cards">
        {charts.map((chart, index) => (
          <MetricCard key={chart.title} chart={chart} samples={seen.samples[index] as Samples} />
        ))}
      </div>
    </>
  );
}

/** How the exchange performs while one looks. DEC-WEB-54. */
export const Page = () => (
  <OfficePage title="Performance" scope={null}>
    <p class="soft">
      Taken from <a href="/metrics">the metrics</a> every {everyMs / 1000} seconds while this page is open and in sight,
      and kept for half an hour. The exchange itself keeps none of them: for days and alarms there is Prometheus, with
      the dashboard that comes along.
    </p>
    <Charts />
  </OfficePage>
);
