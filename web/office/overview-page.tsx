import { useEffect, useState } from 'preact/hooks';
import { Loading } from '#web/design/states.tsx';
import { TimeText } from '#web/design/values.tsx';
import { operator } from '#web/office/operator-session.ts';
import { exchange } from '#web/shell/exchange-facts.ts';

/** What `/readyz` says. */
interface Readiness {
  readonly status: string;
  readonly why?: string;
}

const askMs = 5000;

async function readReadiness(): Promise<Readiness> {
  try {
    return await (await fetch('/readyz')).json();
  } catch {
    return { status: 'no answer' };
  }
}

const readinessTexts: Readonly<Record<string, string>> = {
  ready: 'Ready',
  starting: 'Starting',
  standsAside: 'Stands aside',
};

/** Whether the exchange serves, and what the operator may do. */
export function Page() {
  const [readiness, setReadiness] = useState<Readiness | null>(null);
  useEffect(() => {
    const read = (): void => void readReadiness().then(setReadiness);
    read();
    const timer = setInterval(read, askMs);
    return () => clearInterval(timer);
  }, []);
  if (readiness === null || operator.value === null) return <Loading />;
  const { actor, scopes, expiresAt } = operator.value;
  const isReady = readiness.status === 'ready';
  return (
    <div class="office-page">
      <h1>Overview</h1>
      <div class="card office-facts">
        <h2>Exchange</h2>
        <dl>
          <dt>State</dt>
          <dd class={isReady ? 'up' : 'down'}>{readinessTexts[readiness.status] ?? readiness.status}</dd>
          {readiness.why === undefined ? null : (
            <>
              <dt>Why</dt>
              <dd>{readiness.why}</dd>
            </>
          )}
          <dt>Version</dt>
          <dd>{exchange.version}</dd>
        </dl>
      </div>
      <div class="card office-facts">
        <h2>Your token</h2>
        <dl>
          <dt>Name</dt>
          <dd>{actor}</dd>
          <dt>Valid until</dt>
          <dd>{expiresAt === null ? 'no end' : <TimeText at={new Date(expiresAt).getTime()} />}</dd>
          <dt>May</dt>
          <dd>{scopes.join(', ')}</dd>
        </dl>
      </div>
    </div>
  );
}
