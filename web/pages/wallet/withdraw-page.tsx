import { useState } from 'preact/hooks';
import { useAnswer } from '#web/data/use-answer.ts';
import { type Coin, type Holding, useCoins, useHoldings, watchMs } from '#web/data/wallet.ts';
import { Empty } from '#web/design/states.tsx';
import { CoinChoice, firstCoin, NetworkChoice } from '#web/pages/wallet/coin-choice.tsx';
import { WalletFrame } from '#web/pages/wallet/wallet-frame.tsx';
import { WithdrawForm } from '#web/pages/wallet/withdraw-form.tsx';
import { WithdrawalList } from '#web/pages/wallet/withdrawal-list.tsx';
import { goTo, type PathParts } from '#web/shell/router.ts';
import { WhenRead } from '#web/shell/when-read.tsx';

const shownMax = 20;

interface ChosenProps {
  readonly coins: readonly Coin[];
  readonly asked: string | undefined;
  readonly holdings: readonly Holding[] | null;
  readonly onDone: () => void;
}

function Chosen({ coins, asked, holdings, onDone }: ChosenProps) {
  const chosen = firstCoin(coins, asked);
  const [netWork, setNetWork] = useState('');
  if (chosen === undefined) return <Empty text="No coin is listed." />;
  const networks = chosen.networkList;
  const network =
    networks.find((each) => each.netWork === netWork) ?? networks.find((each) => each.withdrawEnable) ?? networks[0];
  return (
    <>
      <CoinChoice
        coins={coins}
        coin={chosen.coin}
        onChoose={(coin) => goTo(`/wallet/withdraw/${encodeURIComponent(coin)}`, true)}
      />
      {network === undefined ? (
        <Empty text={`${chosen.coin} is on no network: it cannot be withdrawn.`} />
      ) : (
        <>
          <NetworkChoice
            networks={networks}
            network={network.netWork}
            isOpen={({ withdrawEnable }) => withdrawEnable}
            onChoose={setNetWork}
          />
          <WithdrawForm
            key={`${chosen.coin} ${network.netWork}`}
            {...{ coin: chosen.coin, network, holdings, onDone }}
          />
        </>
      )}
    </>
  );
}

function Withdrawals({ asked }: { readonly asked: string | undefined }) {
  const coins = useCoins();
  const holdings = useHoldings();
  const latest = useAnswer((client) => client.withdrawals({ limit: shownMax }), [], watchMs);
  const reload = (): void => {
    latest.reload();
    holdings.reload();
  };
  return (
    <>
      <div class="card panel narrow">
        <WhenRead answer={coins} what="the coins">
          {(value) => <Chosen coins={value} asked={asked} holdings={holdings.value} onDone={reload} />}
        </WhenRead>
      </div>
      <div class="card">
        <div class="panel-head">
          <h2>Latest withdrawals</h2>
          <a href="/wallet/history">All</a>
        </div>
        <WhenRead answer={latest} what="the withdrawals">
          {(value) => (
            <WithdrawalList withdrawals={value} empty="No withdrawal in the last seven days." onChange={reload} />
          )}
        </WhenRead>
      </div>
    </>
  );
}

/** Sends coins away: where to, how much, what arrives, and what became of it. DEC-WEB-34. */
export const Page = ({ parts }: { readonly parts: PathParts }) => (
  <WalletFrame title="Withdraw">
    <Withdrawals asked={parts['coin']} />
  </WalletFrame>
);
