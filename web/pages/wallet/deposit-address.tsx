import { useState } from 'preact/hooks';
import { useAct, useAnswer } from '#web/data/use-answer.ts';
import type { CoinNetwork } from '#web/data/wallet.ts';
import { Button } from '#web/design/button.tsx';
import { TextToCopy } from '#web/design/copy-button.tsx';
import { Facts, Refused } from '#web/design/facts.tsx';
import { Failure, Loading } from '#web/design/states.tsx';
import { QrCode } from '#web/pages/wallet/qr-code.tsx';
import { exchange } from '#web/shell/exchange-facts.ts';

interface Address {
  readonly address: string;
  readonly memo: string | null;
}

/** Where to send to, with everything that has to be known before. */
const Shown = ({
  coin,
  network,
  at,
}: {
  readonly coin: string;
  readonly network: CoinNetwork;
  readonly at: Address;
}) => (
  <>
    {at.memo === null ? null : (
      <p class="warning" role="note">
        <b>Send the memo, too.</b> Many accounts share this address: what arrives without the memo is credited to nobody
        until an operator looks at it.
      </p>
    )}
    <div class="deposit-address">
      <QrCode text={at.address} label={`Address for ${coin} on ${network.netWork}`} />
      <div class="deposit-lines">
        <TextToCopy name="Address" text={at.address} what="address" />
        {at.memo === null ? null : <TextToCopy name="Memo" text={at.memo} what="memo" />}
      </div>
    </div>
  </>
);

/** Where play money comes from: there is no wallet outside that could pay to the address. */
const PlayMoney = () =>
  exchange.profile === 'sandbox' ? (
    <p class="note">
      Play money: pay this address from the sandbox window
      {exchange.operatorUrl === null ? null : (
        <>
          , at its <a href={`${exchange.operatorUrl}/sandbox/chains`}>chains</a>, or be given some by its{' '}
          <a href={`${exchange.operatorUrl}/sandbox/faucet`}>faucet</a>
        </>
      )}
      .
    </p>
  ) : null;

/** What holds for deposits of a coin on a network. */
const Terms = ({ coin, network }: { readonly coin: string; readonly network: CoinNetwork }) => (
  <>
    <Facts
      facts={[
        ['Credited after', `${network.minConfirm} confirmation${network.minConfirm === 1 ? '' : 's'}`],
        ['Contract', network.contract === null ? null : <span class="code">{network.contract}</span>],
        ['About', network.depositDesc],
      ]}
    />
    <p class="note">
      Send {coin} on this network only. {network.depositTips}
    </p>
  </>
);

/** The address of the account for a coin on a network; it is made when it is asked for. DEC-WEB-33. */
export function DepositAddress({ coin, network }: { readonly coin: string; readonly network: CoinNetwork }) {
  const { netWork } = network;
  const known = useAnswer((client) => client.depositAddresses({ coin, network: netWork }), [coin, netWork]);
  const [made, setMade] = useState<(Address & { readonly of: string }) | null>(null);
  const act = useAct();
  const make = (): void => {
    const of = `${coin} ${netWork}`;
    void act.run(async (client) => {
      const answer = [await client.createDepositAddress({ coin, network: netWork })].flat();
      const [first] = answer;
      if (first !== undefined) setMade({ of, address: first.address, memo: first.memo });
    });
  };
  const at = made?.of === `${coin} ${netWork}` ? made : known.value?.[0];
  if (known.value === null && at === undefined)
    return known.fault === null ? <Loading /> : <Failure text={known.fault} onRetry={known.reload} />;
  return (
    <>
      {network.depositEnable ? null : <p class="warning">Deposits on this network are switched off at the moment.</p>}
      {at === undefined ? (
        <Button kind="primary" disabled={act.isBusy} onClick={make}>
          Make an address
        </Button>
      ) : (
        <>
          <Shown coin={coin} network={network} at={at} />
          <PlayMoney />
        </>
      )}
      <Refused text={act.refusal?.text ?? null} />
      <Terms coin={coin} network={network} />
    </>
  );
}
