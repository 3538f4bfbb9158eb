import { useState } from 'preact/hooks';
import { accountFault, fills, pastOrders, readAccount } from '#web/data/account.ts';
import type { Pair } from '#web/data/markets.ts';
import { reasonOf } from '#web/data/refusal.ts';
import { saveFile } from '#web/data/save-file.ts';
import { session } from '#web/data/session.ts';
import { Button } from '#web/design/button.tsx';
import { Dialog } from '#web/design/dialog.tsx';
import { Empty, Failure } from '#web/design/states.tsx';
import { Tabs } from '#web/design/tabs.tsx';
import { say } from '#web/design/toasts.tsx';
import { type AccountView, csvOf, openOrderRows } from '#web/pages/trade/account-rows.ts';
import { PastFills, PastOrders } from '#web/pages/past/past-view.tsx';
import { BalanceTable, OpenOrderTable } from '#web/pages/trade/order-tables.tsx';
import { cancelAll } from '#web/pages/trade/place-order.ts';
import { openSignIn } from '#web/shell/sign-in.tsx';

interface CancelAllProps {
  readonly symbol: string;
  readonly count: number;
  readonly onClose: () => void;
}

function CancelAllDialog({ symbol, count, onClose }: CancelAllProps) {
  const cancel = async (): Promise<void> => {
    onClose();
    try {
      const cancelled = await cancelAll(symbol);
      say(`${cancelled.length} orders of ${symbol} cancelled.`, 'good');
    } catch (error) {
      say(reasonOf(error), 'bad');
    }
  };
  return (
    <Dialog
      title="Cancel all"
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Back</Button>
          <Button kind="primary" onClick={() => void cancel()}>
            Cancel {count} orders
          </Button>
        </>
      }
    >
      <p>
        All open orders of {symbol} are cancelled: {count} now.
      </p>
    </Dialog>
  );
}

interface ViewProps {
  readonly view: AccountView;
  readonly pair: Pair;
  readonly symbol: string | null;
}

function View({ view, pair, symbol }: ViewProps) {
  if (view === 'open') return <OpenOrderTable symbol={symbol} />;
  if (view === 'past') return <PastOrders key={pair.symbol} symbol={pair.symbol} live={pastOrders.value} />;
  if (view === 'fills') return <PastFills key={pair.symbol} symbol={pair.symbol} live={fills.value} />;
  return <BalanceTable />;
}

/** Orders, fills and balances of whoever is signed in, live, each as CSV too. DEC-WEB-13. */
export function AccountPanel({ pair }: { readonly pair: Pair }) {
  const [view, setView] = useState<AccountView>('open');
  const [isOfPair, setOfPair] = useState(false);
  const [isCancelling, setCancelling] = useState(false);
  const symbol = isOfPair ? pair.symbol : null;
  const ofPair = openOrderRows(pair.symbol)?.length ?? 0;
  const isSignedIn = session.value !== null;
  return (
    <section class="pane account-panel" aria-label="Your orders and balances">
      <div class="pane-head">
        <Tabs
          label="Your account"
          chosen={view}
          onChoose={setView}
          tabs={[
            { id: 'open', title: 'Open orders', count: openOrderRows(symbol)?.length },
            { id: 'past', title: 'Order history' },
            { id: 'fills', title: 'Fills' },
            { id: 'balances', title: 'Balances' },
          ]}
        />
        {isSignedIn ? (
          <span class="pane-acts">
            {view === 'open' ? (
              <>
                <label class="choice">
                  <input
                    type="checkbox"
                    checked={isOfPair}
                    onChange={(event) => setOfPair(event.currentTarget.checked)}
                  />
                  This pair
                </label>
                <Button isSmall disabled={ofPair === 0} onClick={() => setCancelling(true)}>
                  Cancel all
                </Button>
              </>
            ) : null}
            {view === 'open' || view === 'balances' ? (
              <Button kind="quiet" isSmall onClick={() => saveFile(`${view}.csv`, csvOf(view, symbol))}>
                CSV
              </Button>
            ) : null}
          </span>
        ) : null}
      </div>
      <div class="pane-scroll">
        {!isSignedIn ? (
          <Empty text="Orders, fills and balances of your account.">
            <Button isSmall onClick={openSignIn}>
              Sign in
            </Button>
          </Empty>
        ) : accountFault.value === null ? (
          <View view={view} pair={pair} symbol={symbol} />
        ) : (
          <Failure text={accountFault.value} onRetry={() => void readAccount()} />
        )}
      </div>
      {isCancelling ? (
        <CancelAllDialog symbol={pair.symbol} count={ofPair} onClose={() => setCancelling(false)} />
      ) : null}
    </section>
  );
}
