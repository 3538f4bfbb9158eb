import { useState } from 'preact/hooks';
import { sumOf, isAmount } from '#web/data/amounts.ts';
import { Button } from '#web/design/button.tsx';
import { Refused } from '#web/design/facts.tsx';
import { ChoiceField, Field } from '#web/design/field.tsx';
import { Table } from '#web/design/table.tsx';
import { NumberText } from '#web/design/values.tsx';
import { type Answer, callOffice } from '#web/office/data/office-calls.ts';
import { useCall } from '#web/office/data/use-office.ts';
import { ReadingView } from '#web/office/parts/reading-view.tsx';
import { AccountField, type People } from '#web/office/sandbox/account-field.tsx';
import { MarketField } from '#web/office/sandbox/market-field.tsx';
import { useControl } from '#web/office/sandbox/use-control.ts';

type Balances = Answer<'getBalances'>;
type Wallet = 'spot' | 'futures';

const everyMs = 2000;

/** Wallets that play money can go to. */
export const wallets: readonly { readonly value: Wallet; readonly text: string }[] = [
  { value: 'spot', text: 'Spot' },
  { value: 'futures', text: 'Futures' },
];

interface FaucetGiveProps {
  readonly people: People;
  readonly coins: readonly string[];
}

const freeOf = (balances: Balances, wallet: Wallet, asset: string): string =>
  balances[wallet].find((each) => each.asset === asset)?.free ?? '0';

/** Everything that an account has. */
const BalancesTable = ({ balances }: { readonly balances: Balances }) => (
  <Table
    label="Balances of the account"
    rows={wallets.flatMap(({ value, text }) => balances[value].map((each) => ({ wallet: text, ...each })))}
    keyOf={({ wallet, asset }) => `${wallet} ${asset}`}
    empty="It has nothing."
    columns={[
      { title: 'Coin', cell: ({ asset }) => asset },
      { title: 'Wallet', cell: ({ wallet }) => wallet },
      { title: 'Free', cell: ({ free }) => <NumberText value={free} />, isRight: true },
      { title: 'Held', cell: ({ held }) => <NumberText value={held} />, isRight: true },
    ]}
  />
);

/** Gives play money to an account, or sets what it has free, and shows what it has. */
export function FaucetGive({ people, coins }: FaucetGiveProps) {
  const control = useControl(['uid', 'asset', 'free']);
  const { faults } = control;
  const [how, setHow] = useState<'give' | 'set'>('give');
  const [uid, setUid] = useState('');
  const [asset, setAsset] = useState('USDT');
  const [wallet, setWallet] = useState<Wallet>('spot');
  const [amount, setAmount] = useState('');
  const members = /^\d{1,9}$/.test(uid) ? { uid: Number(uid) } : null;
  const balances = useCall('getBalances', members, everyMs);
  const pay = async (): Promise<void> => {
    const entered = amount.trim();
    if (members === null) return control.refuse({ uid: 'Choose an account.' });
    if (!isAmount(entered)) return control.refuse({ free: 'It must be an amount such as 1000 or 0.5.' });
    try {
      // What it has at this moment, not when it was shown.
      const { answer } = await callOffice('getBalances', members);
      const free = how === 'give' ? sumOf([freeOf(answer, wallet, asset), entered]) : entered;
      const done = await control.run('setBalance', { ...members, asset, wallet, free });
      if (done !== null) balances.reload();
    } catch (error) {
      control.refuse({ '': (error as Error).message });
    }
  };
  return (
    <>
      <form
        class="office-form"
        onSubmit={(event) => {
          event.preventDefault();
          void pay();
        }}
      >
        <div class="control-grid">
          <AccountField label="Account" value={uid} people={people} none="–" onInput={setUid} fault={faults['uid']} />
          <MarketField label="Coin" value={asset} names={coins} onInput={setAsset} fault={faults['asset']} />
          <ChoiceField label="Wallet" value={wallet} choices={wallets} onChoose={setWallet} />
          <ChoiceField
            label="What is done"
            value={how}
            choices={[
              { value: 'give', text: 'Give this much more' },
              { value: 'set', text: 'Make the free balance this' },
            ]}
            onChoose={setHow}
          />
          <Field label="Amount" value={amount} inputMode="decimal" onInput={setAmount} fault={faults['free']} />
        </div>
        <Refused text={faults[''] ?? null} />
        <div class="office-acts">
          <Button kind="primary" type="submit" disabled={control.isBusy}>
            {how === 'give' ? 'Give' : 'Set'}
          </Button>
        </div>
      </form>
      {members === null ? null : (
        <ReadingView reading={balances}>{(read) => <BalancesTable balances={read} />}</ReadingView>
      )}
    </>
  );
}
