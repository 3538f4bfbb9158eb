import { useState } from 'preact/hooks';
import { faultAt, useAct } from '#web/data/use-answer.ts';
import { freeOf, newActId, useCoins, useHoldings } from '#web/data/wallet.ts';
import { Button } from '#web/design/button.tsx';
import { ConfirmDialog } from '#web/design/confirm-dialog.tsx';
import { ChoiceField } from '#web/design/field.tsx';
import { say } from '#web/design/toasts.tsx';
import { Sum } from '#web/design/values.tsx';
import type { SubAccount } from '#web/pages/account/read-sub-accounts.ts';
import { AmountField, faultOfMove } from '#web/pages/wallet/amount-field.tsx';
import { type Wallet, walletNames } from '#web/pages/wallet/between-wallets.tsx';

/** A wallet of an account; the empty name is this account. */
interface Side {
  readonly account: string;
  readonly wallet: Wallet;
}

const nameOf = ({ account }: Side): string => (account === '' ? 'This account' : account);
const textOf = (side: Side): string => `${nameOf(side)} · ${walletNames[side.wallet]}`;
const keyOf = ({ account, wallet }: Side): string => `${wallet} ${account}`;

/** Every wallet of this account and of its sub-accounts. */
const sidesOf = (accounts: readonly SubAccount[]): readonly Side[] =>
  ['', ...accounts.map(({ subAccount }) => subAccount)].flatMap((account) =>
    (['SPOT', 'FUTURES'] as const).map((wallet) => ({ account, wallet })),
  );

/** Moves money between this account and its sub-accounts. An id makes a repetition the same act. DEC-WEB-35. */
export function SubTransfer({ accounts }: { readonly accounts: readonly SubAccount[] }) {
  const sides = sidesOf(accounts);
  const [fromKey, setFrom] = useState(keyOf(sides[0] as Side));
  const [toKey, setTo] = useState(keyOf(sides[2] as Side));
  const [asset, setAsset] = useState('USDT');
  const [amount, setAmount] = useState('');
  const [clientTranId, setId] = useState<string | null>(null);
  const [isTried, setTried] = useState(false);
  const act = useAct();
  const coins = useCoins();
  const holdings = useHoldings();
  const sideAt = (key: string): Side => sides.find((side) => keyOf(side) === key) ?? (sides[0] as Side);
  const [from, to] = [sideAt(fromKey), sideAt(toKey)];
  const free = from.account === '' && from.wallet === 'SPOT' ? freeOf(holdings.value, asset) : null;
  const fault = faultOfMove(amount.trim(), asset, free);
  const choices = sides.map((side) => ({ value: keyOf(side), text: textOf(side) }));
  const close = (): void => setId(null);
  const move = async (): Promise<void> => {
    if (clientTranId === null) return;
    const isDone = await act.run(async (client) => {
      await client.universalTransfer({
        ...{ clientTranId, asset, amount: amount.trim(), fromAccountType: from.wallet, toAccountType: to.wallet },
        ...(from.account === '' ? {} : { fromAccount: from.account }),
        ...(to.account === '' ? {} : { toAccount: to.account }),
      });
    });
    if (!isDone) return;
    say(`Moved ${amount.trim()} ${asset} to ${nameOf(to)}.`, 'good');
    close();
    setAmount('');
    setTried(false);
  };
  return (
    <form
      class="card panel"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        act.forget();
        if (fault === null) setId(newActId());
      }}
    >
      <h2>Move money</h2>
      <ChoiceField label="From" value={keyOf(from)} choices={choices} onChoose={setFrom} />
      <ChoiceField label="To" value={keyOf(to)} choices={choices} onChoose={setTo} />
      <ChoiceField
        label="Asset"
        value={asset}
        choices={(coins.value ?? []).map(({ coin }) => ({ value: coin, text: coin }))}
        onChoose={setAsset}
      />
      <AmountField
        {...{ asset, free, value: amount }}
        onInput={(value) => {
          setAmount(value);
          act.forget();
        }}
        fault={faultAt(act.refusal, 'amount') ?? (isTried ? fault : null)}
      />
      <Button kind="primary" type="submit">
        Review
      </Button>
      {clientTranId === null ? null : (
        <ConfirmDialog
          title="Move between accounts"
          act="Move it"
          facts={[
            ['From', textOf(from)],
            ['To', textOf(to)],
            ['Amount', <Sum value={amount.trim()} coin={asset} />, 'strong'],
          ]}
          isBusy={act.isBusy}
          refused={act.refusal?.text ?? null}
          onConfirm={() => void move()}
          onClose={close}
        />
      )}
    </form>
  );
}
