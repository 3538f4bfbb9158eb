import { useEffect, useState } from 'preact/hooks';
import { Empty, Loading } from '#web/design/states.tsx';
import { TimeText } from '#web/design/values.tsx';
import { type Metrics, readMetrics, sumOf } from '#web/office/data/exposition.ts';
import { operations } from '#web/office/data/operations.ts';
import { useCall, useList } from '#web/office/data/use-office.ts';
import { mayDo, operator } from '#web/office/operator-session.ts';
import { ActButton } from '#web/office/parts/act-button.tsx';
import { RecordView } from '#web/office/parts/member-value.tsx';
import { OfficePage, Part } from '#web/office/parts/office-page.tsx';
import { ReadingView } from '#web/office/parts/reading-view.tsx';
import { alarmsOf } from '#web/office/overview/alarms.ts';
import { waitsForOperator } from '#web/office/money/deposit-states.ts';
import { ageText } from '#web/office/withdrawals/withdrawal-order.ts';
import { exchange } from '#web/shell/exchange-facts.ts';

const everyMs = 5000;
const pageItems = 200;

/** Metrics, read again and again; `null`: the exchange does not answer. */
function useMetrics(): Metrics | null | undefined {
  const [metrics, setMetrics] = useState<Metrics | null | undefined>(undefined);
  useEffect(() => {
    const read = (): void => void readMetrics().then(setMetrics, () => setMetrics(null));
    read();
    const timer = setInterval(read, everyMs);
    return () => clearInterval(timer);
  }, []);
  return metrics;
}

function Alarms({ metrics }: { readonly metrics: Metrics | null | undefined }) {
  if (metrics === undefined) return <Loading />;
  if (metrics === null) return <p class="down">The exchange does not answer.</p>;
  const alarms = alarmsOf(metrics);
  if (alarms.length === 0) return <p class="up">Nothing gives cause for alarm.</p>;
  return (
    <ul class="office-alarms">
      {alarms.map(({ text, href }) => (
        <li key={text}>
          <a href={href}>{text}</a>
        </li>
      ))}
    </ul>
  );
}

const durationText = (seconds: number | null): string =>
  seconds === null ? '–' : ageText(0, Math.floor(seconds) * 1000);

interface StateLineProps {
  readonly title: string;
  /** 1: it is well; `null`: not known. */
  readonly value: number | null;
  readonly good: string;
  readonly bad: string;
}

const StateLine = ({ title, value, good, bad }: StateLineProps) => (
  <div>
    <dt>{title}</dt>
    {value === null ? <dd>–</dd> : <dd class={value === 1 ? 'up' : 'down'}>{value === 1 ? good : bad}</dd>}
  </div>
);

function Health({ metrics }: { readonly metrics: Metrics | null | undefined }) {
  if (metrics === undefined) return <Loading />;
  const of = (name: string): number | null => (metrics === null ? null : sumOf(metrics, name));
  return (
    <dl class="office-record">
      <StateLine title="State" value={of('bourse_ready')} good="Ready" bad="Not ready" />
      <StateLine title="Ledger" value={of('bourse_ledger_balanced')} good="Adds up" bad="Does not add up" />
      <div>
        <dt>Runs for</dt>
        <dd>{durationText(of('bourse_uptime_seconds'))}</dd>
      </div>
      <div>
        <dt>Open orders</dt>
        <dd class="number">{of('bourse_orders_open') ?? '–'}</dd>
      </div>
      <div>
        <dt>Connections</dt>
        <dd class="number">{of('bourse_stream_connections') ?? '–'}</dd>
      </div>
      <div>
        <dt>Age of snapshot</dt>
        <dd>{durationText(of('bourse_snapshot_age_seconds'))}</dd>
      </div>
      <div>
        <dt>Version</dt>
        <dd>{exchange.version}</dd>
      </div>
    </dl>
  );
}

interface Waiting {
  readonly count: number;
  readonly oldest: number | null;
}

const waitingOf = (moments: readonly number[]): Waiting => ({
  count: moments.length,
  oldest: moments.length === 0 ? null : Math.min(...moments),
});

const QueueLine = ({ title, href, waiting }: { title: string; href: string; waiting: Waiting | null }) => (
  <div>
    <dt>
      <a href={href}>{title}</a>
    </dt>
    <dd>
      {waiting === null
        ? '…'
        : waiting.count === 0
          ? 'none'
          : `${waiting.count} wait, the oldest for ${ageText(waiting.oldest ?? 0, Date.now())}`}
    </dd>
  </div>
);

function WithdrawalQueue() {
  const { value } = useList('listWithdrawals', { limit: pageItems }, everyMs);
  const waiting = value?.filter(({ status }) => status === 'manual' || status === 'auditing');
  return (
    <QueueLine
      title="Withdrawals"
      href="/withdrawals"
      waiting={waiting === undefined ? null : waitingOf(waiting.map(({ requestedAt }) => requestedAt))}
    />
  );
}

function DepositQueue() {
  const { value } = useList('listDeposits', { limit: pageItems }, everyMs);
  const waiting = value?.filter(({ status }) => waitsForOperator(status));
  return (
    <QueueLine
      title="Deposits"
      href="/deposits"
      waiting={waiting === undefined ? null : waitingOf(waiting.map(({ insertedAt }) => insertedAt))}
    />
  );
}

function ProposalQueue() {
  const { value } = useList('listProposals', { state: 'open', limit: pageItems }, everyMs);
  return (
    <QueueLine
      title="Proposals"
      href="/proposals"
      waiting={value === null ? null : waitingOf(value.map(({ madeAt }) => madeAt))}
    />
  );
}

const Queues = () => (
  <dl class="office-record">
    {mayDo('withdrawals:read') ? <WithdrawalQueue /> : null}
    {mayDo('deposits:read') ? <DepositQueue /> : null}
    {mayDo('assets:read') ? <ProposalQueue /> : null}
  </dl>
);

function Solvency() {
  const reconciliation = useCall('getReconciliation', {}, 6 * everyMs);
  return (
    <ReadingView reading={reconciliation}>
      {({ items }) => {
        const odd = items.filter(({ isExplained, isComplete }) => !isExplained || !isComplete);
        if (odd.length === 0) return <p class="up">Custody has what the ledger owes, of all {items.length} coins.</p>;
        return (
          <p class="down">
            Custody and ledger differ, or are not known: {odd.map(({ asset }) => asset).join(', ')}.{' '}
            <a href="/solvency">Look</a>
          </p>
        );
      }}
    </ReadingView>
  );
}

function Trading() {
  const trading = useCall('getTrading', {}, everyMs);
  return (
    <ReadingView reading={trading}>
      {(value) => {
        const isOpen = value.state === 'open';
        return (
          <>
            <p class={isOpen ? 'up' : 'down'}>{isOpen ? 'Pairs and contracts trade.' : 'All trading is halted.'}</p>
            {isOpen ? null : <RecordView record={value} />}
            <div class="office-acts">
              <ActButton
                id="putTrading"
                title={isOpen ? 'Halt all trading' : 'Open trading'}
                kind={isOpen ? 'sell' : 'buy'}
                fixed={{ state: isOpen ? 'halted' : 'open' }}
                tag={trading.tag}
                onDone={trading.reload}
              />
            </div>
          </>
        );
      }}
    </ReadingView>
  );
}

/** Scopes that endpoints ask for; `null` while they are not known. */
function useAskedScopes(): readonly (string | null)[] | null {
  const [scopes, setScopes] = useState<readonly (string | null)[] | null>(null);
  useEffect(() => {
    operations().then(
      (all) => setScopes([...all.values()].map(({ scope }) => scope)),
      () => {},
    );
  }, []);
  return scopes;
}

function OwnToken() {
  const asked = useAskedScopes();
  if (operator.value === null) return null;
  const isEverything = asked?.every(mayDo) === true;
  const { actor, scopes, expiresAt } = operator.value;
  return (
    <dl class="office-record">
      <div>
        <dt>Name</dt>
        <dd>{actor}</dd>
      </div>
      <div>
        <dt>Valid until</dt>
        <dd>{expiresAt === null ? 'no end' : <TimeText at={new Date(expiresAt).getTime()} />}</dd>
      </div>
      <div>
        <dt>May</dt>
        <dd>
          <details>
            <summary>{isEverything ? 'Everything' : `${scopes.length} rights`}</summary>
            {scopes.join(', ')}
          </details>
        </dd>
      </div>
    </dl>
  );
}

function Overview() {
  const metrics = useMetrics();
  const mayQueue = ['withdrawals:read', 'deposits:read', 'assets:read'].some(mayDo);
  return (
    <div class="office-cards">
      <Part title="Alarms">
        <Alarms metrics={metrics} />
      </Part>
      <Part title="Queues">{mayQueue ? <Queues /> : <Empty text="Your token opens no queue." />}</Part>
      <Part title="Solvency" scope="ledger:read">
        <Solvency />
      </Part>
      <Part title="Trading" scope="pairs:read">
        <Trading />
      </Part>
      <Part title="Health">
        <Health metrics={metrics} />
      </Part>
      <Part title="Your token">
        <OwnToken />
      </Part>
    </div>
  );
}

/** How the exchange fares, what waits, and what gives cause for alarm. DEC-WEB-48. */
export const Page = () => (
  <OfficePage title="Overview" scope={null}>
    <Overview />
  </OfficePage>
);
