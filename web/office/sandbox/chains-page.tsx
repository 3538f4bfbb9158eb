import { useState } from 'preact/hooks';
import { Button } from '#web/design/button.tsx';
import type { Column } from '#web/design/table.tsx';
import { NumberText, TimeText } from '#web/design/values.tsx';
import { useCall } from '#web/office/data/use-office.ts';
import { AccountLink, LongText } from '#web/office/parts/links.tsx';
import { ListPart } from '#web/office/parts/list-part.tsx';
import { OfficePage, Part } from '#web/office/parts/office-page.tsx';
import { ListView, ReadingView } from '#web/office/parts/reading-view.tsx';
import { ChainBlocks, ChainReorganisation, ChainWalletLimit } from '#web/office/sandbox/chain-blocks.tsx';
import { ChainDeposit } from '#web/office/sandbox/chain-deposit.tsx';
import { type ChainState, coinsOn, useChains } from '#web/office/sandbox/use-chains.ts';
import '#web/office/sandbox/sandbox.css';
import '#web/office/sandbox/tools.css';

const custodyEveryMs = 3000;

const columnsOf = (chosen: string, choose: (network: string) => void): readonly Column<ChainState>[] => [
  {
    title: 'Network',
    cell: ({ network }) => (
      <Button
        kind="link"
        isSmall
        aria-pressed={network === chosen}
        aria-label={`Network ${network}`}
        onClick={() => choose(network)}
      >
        {network}
      </Button>
    ),
  },
  { title: 'Height', cell: ({ height }) => <NumberText value={String(height)} />, isRight: true },
  { title: 'Waiting payments', cell: ({ mempoolSize }) => <NumberText value={String(mempoolSize)} />, isRight: true },
  { title: 'Delay in blocks', cell: ({ delayBlocks }) => <NumberText value={String(delayBlocks)} />, isRight: true },
  { title: 'Next block at', cell: ({ nextBlockAt }) => <TimeText at={nextBlockAt} /> },
  { title: 'Newest block', cell: ({ hash }) => <span class="code-cell">{`${hash.slice(0, 18)}…`}</span> },
];

/** What custody has on a network, coin by coin. */
function Custody({ network }: { readonly network: string }) {
  const reading = useCall('getReconciliation', {}, custodyEveryMs);
  return (
    <Part title={`Custody on ${network}`} scope="ledger:read">
      <ReadingView reading={reading}>
        {({ items }) => (
          <dl class="office-record">
            {items.flatMap(({ asset, networks }) =>
              networks
                .filter((each) => each.network === network)
                .map(({ amount }) => (
                  <div key={asset}>
                    <dt>{asset}</dt>
                    <dd>
                      <NumberText value={amount} />
                    </dd>
                  </div>
                )),
            )}
          </dl>
        )}
      </ReadingView>
    </Part>
  );
}

const Deposits = ({ network }: { readonly network: string }) => (
  <ListPart
    title={`Newest deposits on ${network}`}
    id="listDeposits"
    scope="deposits:read"
    members={{ network, limit: 10 }}
    everyMs={1500}
    keyOf={({ deposit }) => String(deposit)}
    empty="Nobody has paid on this network yet."
    columns={[
      'deposit',
      { title: 'Account', cell: ({ uid }) => <AccountLink uid={uid} /> },
      { title: 'Amount', cell: ({ amount }) => <NumberText value={amount} />, isRight: true },
      { title: 'Coin', cell: ({ asset }) => asset },
      { title: 'State', cell: ({ status }) => status },
      {
        title: 'Confirmations',
        cell: ({ confirmations, minConfirm }) => (
          <span class="number">
            {confirmations} of {minConfirm}
          </span>
        ),
        isRight: true,
      },
      { title: 'Transaction', cell: ({ txId }) => <LongText text={txId} /> },
    ]}
  />
);

function Chains() {
  const chains = useChains();
  const [chosen, setChosen] = useState<string | null>(null);
  const network = chosen ?? chains.value?.[0]?.network ?? '';
  const coins = coinsOn(chains.coins, network);
  const about = { network, onDone: chains.reload };
  return (
    <>
      <Part title="Networks">
        <ListView
          list={{ ...chains, more: null }}
          label="Networks"
          columns={columnsOf(network, setChosen)}
          keyOf={(chain) => chain.network}
          empty="No coin is on a network."
        />
      </Part>
      {network === '' ? null : (
        <>
          <Part key={`pay ${network}`} title={`Pay on ${network} from outside`}>
            <ChainDeposit {...about} coins={coins} />
          </Part>
          <div key={network} class="office-cards">
            <Part title="Blocks">
              <ChainBlocks {...about} />
            </Part>
            <Part title="Reorganisation">
              <ChainReorganisation {...about} />
            </Part>
            <Part title="Wallet that pays withdrawals">
              <ChainWalletLimit {...about} coins={coins} />
            </Part>
          </div>
          <div class="office-beside">
            <Deposits network={network} />
            <Custody network={network} />
          </div>
        </>
      )}
    </>
  );
}

/** Simulated chains: how each stands, and ways to mine, pay, reorganise, delay and run short. DEC-WEB-68. */
export const Page = () => (
  <OfficePage title="Chains" scope="chain:control">
    <Chains />
  </OfficePage>
);
