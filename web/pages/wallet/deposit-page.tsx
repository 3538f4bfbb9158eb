import { useEffect, useRef, useState } from 'preact/hooks';
import { useAnswer } from '#web/data/use-answer.ts';
import { type Coin, type Deposit, useCoins, watchMs } from '#web/data/wallet.ts';
import { Empty } from '#web/design/states.tsx';
import { say } from '#web/design/toasts.tsx';
import { CoinChoice, firstCoin, NetworkChoice } from '#web/pages/wallet/coin-choice.tsx';
import { DepositAddress } from '#web/pages/wallet/deposit-address.tsx';
import { DepositList } from '#web/pages/wallet/deposit-list.tsx';
import { WalletFrame } from '#web/pages/wallet/wallet-frame.tsx';
import { goTo, type PathParts } from '#web/shell/router.ts';
import { WhenRead } from '#web/shell/when-read.tsx';

const shownMax = 20;
const credited = 5;

/** Says when a deposit was credited that was under way before. */
function useCredits(deposits: readonly Deposit[] | null): void {
  const seen = useRef(new Map<string, number>());
  useEffect(() => {
    for (const { txId, network, status, amount, coin } of deposits ?? []) {
      const id = `${network} ${txId} ${amount}`;
      const before = seen.current.get(id);
      if (before !== undefined && before !== status && status === credited) say(`Credited: ${amount} ${coin}.`, 'good');
      seen.current.set(id, status);
    }
  }, [deposits]);
}

/** Deposits of all coins, whose confirmations count while one looks. */
function Latest() {
  const deposits = useAnswer((client) => client.deposits({ limit: shownMax }), [], watchMs);
  useCredits(deposits.value);
  return (
    <div class="card">
      <div class="panel-head">
        <h2>Latest deposits</h2>
        <a href="/wallet/history">All</a>
      </div>
      <WhenRead answer={deposits} what="the deposits">
        {(value) => <DepositList deposits={value} empty="No deposit in the last seven days." />}
      </WhenRead>
    </div>
  );
}

function Address({ coins, asked }: { readonly coins: readonly Coin[]; readonly asked: string | undefined }) {
  const chosen = firstCoin(coins, asked);
  const [netWork, setNetWork] = useState('');
  if (chosen === undefined) return <Empty text="No coin is listed." />;
  const networks = chosen.networkList;
  const network =
    networks.find((each) => each.netWork === netWork) ?? networks.find((each) => each.depositEnable) ?? networks[0];
  return (
    <>
      <CoinChoice
        coins={coins}
        coin={chosen.coin}
        onChoose={(coin) => goTo(`/wallet/deposit/${encodeURIComponent(coin)}`, true)}
      />
      {network === undefined ? (
        <Empty text={`${chosen.coin} is on no network: it cannot be deposited.`} />
      ) : (
        <>
          <NetworkChoice
            networks={networks}
            network={network.netWork}
            isOpen={({ depositEnable }) => depositEnable}
            onChoose={setNetWork}
          />
          <DepositAddress coin={chosen.coin} network={network} />
        </>
      )}
    </>
  );
}

function Deposits({ asked }: { readonly asked: string | undefined }) {
  const coins = useCoins();
  return (
    <>
      <div class="card panel narrow">
        <WhenRead answer={coins} what="the coins">
          {(value) => <Address coins={value} asked={asked} />}
        </WhenRead>
      </div>
      <Latest />
    </>
  );
}

/** Where to send coins to, and what became of those that were sent. DEC-WEB-33. */
export const Page = ({ parts }: { readonly parts: PathParts }) => (
  <WalletFrame title="Deposit">
    <Deposits asked={parts['coin']} />
  </WalletFrame>
);
