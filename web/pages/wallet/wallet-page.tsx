import { useEffect, useState } from 'preact/hooks';
import { compareAmounts, isNothing, sumOf } from '#web/data/amounts.ts';
import { followMarkets } from '#web/data/markets.ts';
import { type Holding, useHoldings } from '#web/data/wallet.ts';
import { valuedIn, worthOf } from '#web/data/worth.ts';
import { Failure, Loading } from '#web/design/states.tsx';
import { type Column, Table } from '#web/design/table.tsx';
import { NumberText } from '#web/design/values.tsx';
import { WalletFrame } from '#web/pages/wallet/wallet-frame.tsx';

interface Row extends Holding {
  readonly worth: string | null;
}

const linkTo = (act: 'deposit' | 'withdraw', asset: string): string => `/wallet/${act}/${encodeURIComponent(asset)}`;

const columns: readonly Column<Row>[] = [
  { title: 'Asset', cell: ({ asset }) => <b>{asset}</b> },
  {
    title: 'Total',
    isRight: true,
    cell: ({ total, held }) => (
      <>
        <NumberText value={total} />
        {isNothing(held) ? null : (
          <small class="wallet-held soft">
            held <NumberText value={held} />
          </small>
        )}
      </>
    ),
  },
  { title: `Worth in ${valuedIn}`, isRight: true, cell: ({ worth }) => <NumberText value={worth} decimals={2} /> },
  { title: 'Free', isRight: true, style: 'wallet-wide', cell: ({ free }) => <NumberText value={free} /> },
  { title: 'Held', isRight: true, style: 'wallet-wide', cell: ({ held }) => <NumberText value={held} /> },
  {
    title: '',
    isRight: true,
    cell: ({ asset }) => (
      <span class="acts wallet-acts">
        <a class="button small" href={linkTo('deposit', asset)} aria-label={`Deposit ${asset}`}>
          Deposit
        </a>
        <a class="button small" href={linkTo('withdraw', asset)} aria-label={`Withdraw ${asset}`}>
          Withdraw
        </a>
      </span>
    ),
  },
];

/** Lines by worth, the largest first; what has no price comes last. */
function rowsOf(holdings: readonly Holding[]): readonly Row[] {
  return holdings
    .map((holding) => ({ ...holding, worth: worthOf(holding.asset, holding.total) }))
    .toSorted(
      (one, other) => compareAmounts(other.worth ?? '0', one.worth ?? '0') || (one.asset < other.asset ? -1 : 1),
    );
}

const Total = ({ rows }: { readonly rows: readonly Row[] }) => {
  const unpriced = rows.filter(({ worth, total }) => worth === null && !isNothing(total)).length;
  return (
    <div class="card panel wallet-total">
      <span class="soft">Worth of the spot wallet, at last prices</span>
      <strong class="number">
        <NumberText value={sumOf(rows.map(({ worth }) => worth ?? '0'))} decimals={2} /> <small>{valuedIn}</small>
      </strong>
      {unpriced === 0 ? null : <span class="soft">Without {unpriced} that have no price.</span>}
      <div class="panel-tools">
        <a class="button primary" href="/wallet/deposit">
          Deposit
        </a>
        <a class="button" href="/wallet/withdraw">
          Withdraw
        </a>
        <a class="button" href="/wallet/transfer">
          Transfer
        </a>
      </div>
    </div>
  );
};

function Balances() {
  const [words, setWords] = useState('');
  const [showsEmpty, setShowsEmpty] = useState(false);
  const { value, fault, reload } = useHoldings();
  useEffect(() => followMarkets(), []);
  if (value === null)
    return fault === null ? <Loading text="Reading the balances" /> : <Failure text={fault} onRetry={reload} />;
  const rows = rowsOf(value);
  const shown = rows.filter(
    ({ asset, total }) => asset.includes(words.trim().toUpperCase()) && (showsEmpty || !isNothing(total)),
  );
  return (
    <>
      <Total rows={rows} />
      <div class="card">
        <div class="panel-head">
          <h2>Balances</h2>
          <div class="wallet-tools">
            <label class="choice">
              <input
                type="checkbox"
                checked={showsEmpty}
                onChange={(event) => setShowsEmpty(event.currentTarget.checked)}
              />
              Also empty ones
            </label>
            <input
              type="search"
              class="wallet-search"
              placeholder="Search"
              aria-label="Search the balances"
              value={words}
              onInput={(event) => setWords(event.currentTarget.value)}
            />
          </div>
        </div>
        <Table label="Balances" columns={columns} rows={shown} keyOf={({ asset }) => asset} empty="Nothing is here." />
        <p class="panel-foot">
          Wallets of contracts are not shown: the API moves money to them and back, and does not tell what they hold.
        </p>
      </div>
    </>
  );
}

/** What the account owns, and what that is worth. DEC-WEB-32. */
export const Page = () => (
  <WalletFrame title="Wallet">
    <Balances />
  </WalletFrame>
);
