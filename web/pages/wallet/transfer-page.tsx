import { useState } from 'preact/hooks';
import { type Holding, useHoldings } from '#web/data/wallet.ts';
import { Tabs } from '#web/design/tabs.tsx';
import { BetweenWallets } from '#web/pages/wallet/between-wallets.tsx';
import { ToAnotherUser } from '#web/pages/wallet/to-another-user.tsx';
import { WalletFrame } from '#web/pages/wallet/wallet-frame.tsx';
import { WhenRead } from '#web/shell/when-read.tsx';

type Kind = 'wallets' | 'user';

const tabs = [
  { id: 'wallets', title: 'Between wallets' },
  { id: 'user', title: 'To another user' },
] as const;

interface FormProps {
  readonly kind: Kind;
  readonly holdings: readonly Holding[];
  readonly onDone: () => void;
}

const Form = ({ kind, ...rest }: FormProps) =>
  kind === 'wallets' ? <BetweenWallets {...rest} /> : <ToAnotherUser {...rest} />;

function Transfers() {
  const [kind, setKind] = useState<Kind>('wallets');
  const holdings = useHoldings();
  return (
    <div class="card panel narrow">
      <Tabs label="Transfers" tabs={tabs} chosen={kind} onChoose={setKind} />
      <WhenRead answer={holdings} what="the balances">
        {(value) => <Form kind={kind} holdings={value} onDone={holdings.reload} />}
      </WhenRead>
      <p class="note">
        To and from sub-accounts: <a href="/account/sub-accounts">Sub-accounts</a>. What was moved:{' '}
        <a href="/wallet/history">History</a>.
      </p>
    </div>
  );
}

/** Moves money within the exchange. DEC-WEB-35. */
export const Page = () => (
  <WalletFrame title="Transfer">
    <Transfers />
  </WalletFrame>
);
