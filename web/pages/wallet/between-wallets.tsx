import { useState } from 'preact/hooks';
import { faultAt, useAct } from '#web/data/use-answer.ts';
import { freeOf, type Holding, heldAssets, newActId } from '#web/data/wallet.ts';
import { Button } from '#web/design/button.tsx';
import { ConfirmDialog } from '#web/design/confirm-dialog.tsx';
import { ChoiceField } from '#web/design/field.tsx';
import { say } from '#web/design/toasts.tsx';
import { Sum } from '#web/design/values.tsx';
import { AmountField, faultOfMove } from '#web/pages/wallet/amount-field.tsx';

/** Wallets of an account. */
export type Wallet = 'SPOT' | 'FUTURES';
/** What they are called. */
export const walletNames: Readonly<Record<Wallet, string>> = { SPOT: 'Spot', FUTURES: 'Contracts' };

const directions = [
  { value: 'SPOT', text: 'Spot to contracts' },
  { value: 'FUTURES', text: 'Contracts to spot' },
] as const satisfies readonly { value: Wallet; text: string }[];

interface BetweenWalletsProps {
  readonly holdings: readonly Holding[];
  readonly onDone: () => void;
}

/** Assets to choose from: those that are held first. USDT always, since contracts are settled in it. */
const choicesOf = (holdings: readonly Holding[]): readonly string[] => [...new Set(['USDT', ...heldAssets(holdings)])];

/** Moves money between the wallets of the account. An id of the act makes a repetition the same one. DEC-WEB-35. */
export function BetweenWallets({ holdings, onDone }: BetweenWalletsProps) {
  const [from, setFrom] = useState<Wallet>('SPOT');
  const [asset, setAsset] = useState('USDT');
  const [amount, setAmount] = useState('');
  const [clientTranId, setId] = useState<string | null>(null);
  const [isTried, setTried] = useState(false);
  const act = useAct();
  const to = from === 'SPOT' ? 'FUTURES' : 'SPOT';
  const free = from === 'SPOT' ? freeOf(holdings, asset) : null;
  const fault = faultOfMove(amount.trim(), asset, free);
  const close = (): void => setId(null);
  const move = async (): Promise<void> => {
    if (clientTranId === null) return;
    const members = { fromAccountType: from, toAccountType: to, asset, amount: amount.trim(), clientTranId } as const;
    if (!(await act.run(async (client) => void (await client.transfer(members))))) return;
    say(`Moved ${amount.trim()} ${asset} to ${walletNames[to].toLowerCase()}.`, 'good');
    close();
    setAmount('');
    setTried(false);
    onDone();
  };
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        act.forget();
        if (fault === null) setId(newActId());
      }}
    >
      <ChoiceField label="From and to" value={from} choices={directions} onChoose={setFrom} />
      <ChoiceField
        label="Asset"
        value={asset}
        choices={choicesOf(holdings).map((each) => ({ value: each, text: each }))}
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
      {from === 'FUTURES' ? (
        <p class="note">What no position needs can be moved; the exchange says if it is less.</p>
      ) : null}
      <Button kind="primary" type="submit">
        Review
      </Button>
      {clientTranId === null ? null : (
        <ConfirmDialog
          title="Move between wallets"
          act="Move it"
          facts={[
            ['From', walletNames[from]],
            ['To', walletNames[to]],
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
