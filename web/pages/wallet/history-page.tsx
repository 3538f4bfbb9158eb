import { useEffect, useState } from 'preact/hooks';
import { csvText } from '#web/data/csv.ts';
import { saveFile } from '#web/data/save-file.ts';
import { followMarkets, pairs } from '#web/data/markets.ts';
import { useAnswer } from '#web/data/use-answer.ts';
import { useCoins } from '#web/data/wallet.ts';
import { Button } from '#web/design/button.tsx';
import { ChoiceField } from '#web/design/field.tsx';
import { Loading } from '#web/design/states.tsx';
import { Tabs } from '#web/design/tabs.tsx';
import { PastFills, PastOrders } from '#web/pages/past/past-view.tsx';
import { histories, type History, type HistoryName } from '#web/pages/wallet/history-lists.tsx';
import type { HistoryFilter } from '#web/pages/wallet/history-read.ts';
import { depositStates, withdrawalStates } from '#web/pages/wallet/states.ts';
import { WalletFrame } from '#web/pages/wallet/wallet-frame.tsx';
import { WhenRead } from '#web/shell/when-read.tsx';

type Shown = HistoryName | 'orders' | 'fills';

const tabs: readonly { readonly id: Shown; readonly title: string }[] = [
  { id: 'deposits', title: 'Deposits' },
  { id: 'withdrawals', title: 'Withdrawals' },
  { id: 'wallets', title: 'Between wallets' },
  { id: 'users', title: 'With other users' },
  { id: 'subAccounts', title: 'With sub-accounts' },
  { id: 'conversions', title: 'Small balances' },
  { id: 'orders', title: 'Orders' },
  { id: 'fills', title: 'Fills' },
];

const spans = [
  { value: '7', text: 'Last 7 days' },
  { value: '30', text: 'Last 30 days' },
  { value: '90', text: 'Last 90 days' },
] as const;

const states: Partial<Record<HistoryName, readonly { readonly value: string; readonly text: string }[]>> = {
  deposits: depositStates,
  withdrawals: withdrawalStates,
};

interface FiltersProps {
  readonly name: HistoryName;
  readonly filter: HistoryFilter;
  readonly onChange: (filter: HistoryFilter) => void;
}

function Filters({ name, filter, onChange }: FiltersProps) {
  const coins = useCoins();
  const offered = states[name];
  return (
    <div class="panel-tools">
      <ChoiceField
        label="Time"
        value={`${filter.days}`}
        choices={spans}
        onChoose={(days) => onChange({ ...filter, days: Number(days) })}
      />
      <ChoiceField
        label="Coin"
        value={filter.coin}
        choices={[{ value: '', text: 'All' }, ...(coins.value ?? []).map(({ coin }) => ({ value: coin, text: coin }))]}
        onChoose={(coin) => onChange({ ...filter, coin })}
      />
      {offered === undefined ? null : (
        <ChoiceField
          label="State"
          value={filter.status}
          choices={[{ value: '', text: 'All' }, ...offered]}
          onChoose={(status) => onChange({ ...filter, status })}
        />
      )}
    </div>
  );
}

interface ListProps<Row> {
  readonly name: HistoryName;
  readonly history: History<Row>;
  readonly filter: HistoryFilter;
  readonly onFilter: (filter: HistoryFilter) => void;
}

function List<Row>({ name, history, filter, onFilter }: ListProps<Row>) {
  const { coin, status, days } = filter;
  const answer = useAnswer((client) => history.read(client, filter), [name, coin, status, days]);
  const rows = answer.value?.rows ?? [];
  const save = (): void => saveFile(`${name}.csv`, csvText(history.head, rows.map(history.cells)));
  return (
    <>
      <div class="panel-head history-tools">
        <Filters name={name} filter={filter} onChange={onFilter} />
        <Button disabled={rows.length === 0} onClick={save}>
          Save as CSV
        </Button>
      </div>
      <WhenRead answer={answer} what="the history">
        {(value) => (
          <>
            {history.list(value.rows, answer.reload)}
            {value.isCut ? <p class="panel-foot">Older ones are left out: choose a shorter time or one coin.</p> : null}
          </>
        )}
      </WhenRead>
    </>
  );
}

/** Orders or fills of the past, of the first pair to begin with. */
function Traded({ shown }: { readonly shown: 'orders' | 'fills' }) {
  useEffect(() => followMarkets(), []);
  const first = pairs.value?.[0]?.symbol;
  if (first === undefined) return <Loading text="Reading the pairs" />;
  return shown === 'orders' ? <PastOrders symbol={first} /> : <PastFills symbol={first} />;
}

function Histories() {
  const [name, setName] = useState<Shown>('deposits');
  const [filter, setFilter] = useState<HistoryFilter>({ coin: '', status: '', days: 30 });
  const choose = (next: Shown): void => {
    setName(next);
    // Statuses of deposits and withdrawals are not the same.
    setFilter({ ...filter, status: '' });
  };
  return (
    <div class="card">
      <div class="panel-head">
        <Tabs label="History" tabs={tabs} chosen={name} onChoose={choose} />
      </div>
      {name === 'orders' || name === 'fills' ? (
        <Traded key={name} shown={name} />
      ) : (
        <List
          key={name}
          name={name}
          history={histories[name] as History<unknown>}
          filter={filter}
          onFilter={setFilter}
        />
      )}
    </div>
  );
}

/** Everything that came, went, or was moved. DEC-WEB-36. */
export const Page = () => (
  <WalletFrame title="History">
    <Histories />
  </WalletFrame>
);
