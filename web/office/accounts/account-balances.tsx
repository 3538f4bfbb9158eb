import { Table } from '#web/design/table.tsx';
import { useCall } from '#web/office/data/use-office.ts';
import { ActButton } from '#web/office/parts/act-button.tsx';
import { DownloadButton } from '#web/office/parts/download-button.tsx';
import { ListPart } from '#web/office/parts/list-part.tsx';
import { memberColumns } from '#web/office/parts/member-columns.tsx';
import { Part } from '#web/office/parts/office-page.tsx';
import { ReadingView } from '#web/office/parts/reading-view.tsx';

const keyOf = ({ asset }: { readonly asset: string }): string => asset;
const balance = memberColumns<{ readonly asset: string; readonly free: string; readonly held: string }>([
  'asset',
  'free',
  'held',
]);

function Wallets({ uid }: { readonly uid: number }) {
  const balances = useCall('getBalances', { uid });
  return (
    <>
      <div class="office-acts">
        <ActButton
          id="makeAdjustment"
          title={`Adjust a balance of account ${uid}`}
          label="Adjust"
          fixed={{ uid }}
          members={['wallet', 'asset', 'kind', 'amount', 'reference']}
          onDone={balances.reload}
        />
        <DownloadButton
          id="getStatement"
          members={{ uid, format: 'csv' }}
          label="Statement (CSV)"
          file={`statement-${uid}.csv`}
        />
        <DownloadButton
          id="getLiabilityProof"
          members={{ uid }}
          label="Proof of liabilities"
          file={`liability-proof-${uid}.json`}
        />
      </div>
      <ReadingView reading={balances}>
        {({ spot, futures }) => (
          <>
            <Table label="Spot wallet" columns={balance} rows={spot} keyOf={keyOf} empty="The spot wallet is empty." />
            {futures.length === 0 ? null : (
              <>
                <h3>Futures wallet</h3>
                <Table label="Futures wallet" columns={balance} rows={futures} keyOf={keyOf} empty="" />
              </>
            )}
          </>
        )}
      </ReadingView>
    </>
  );
}

/** What an account owns, and how it came about. */
export const Balances = ({ uid }: { readonly uid: number }) => (
  <>
    <Part title="Balances" scope="ledger:read">
      <Wallets uid={uid} />
    </Part>
    {(['spot', 'futures'] as const).map((wallet) => (
      <ListPart
        key={wallet}
        title={`Ledger of the ${wallet} wallet`}
        scope="ledger:read"
        id="listLedgerLines"
        members={{ uid, wallet, limit: 25 }}
        keyOf={({ seq, line }) => `${seq} ${line}`}
        empty="Nothing was ever posted to it."
        columns={['at', 'asset', 'change', 'balance', 'reason', 'reference']}
      />
    ))}
  </>
);
