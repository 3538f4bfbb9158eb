import { useState } from 'preact/hooks';
import { faultAt, useAct } from '#web/data/use-answer.ts';
import { freeOf, type Holding, heldAssets, newActId } from '#web/data/wallet.ts';
import { Button } from '#web/design/button.tsx';
import { ConfirmDialog } from '#web/design/confirm-dialog.tsx';
import { ChoiceField, Field } from '#web/design/field.tsx';
import { Empty } from '#web/design/states.tsx';
import { say } from '#web/design/toasts.tsx';
import { Sum } from '#web/design/values.tsx';
import { AmountField, faultOfMove } from '#web/pages/wallet/amount-field.tsx';

const kinds = [
  { value: 'UID', text: 'Number of the account' },
  { value: 'EMAIL', text: 'Mail address' },
  { value: 'MOBILE', text: 'Mobile number' },
] as const;
type Kind = (typeof kinds)[number]['value'];

interface Draft {
  readonly kind: Kind;
  readonly account: string;
  readonly areaCode: string;
  readonly asset: string;
  readonly amount: string;
}

interface ToAnotherUserProps {
  readonly holdings: readonly Holding[];
  readonly onDone: () => void;
}

/** What goes to the exchange of a form. */
const membersOf = ({ kind, account, areaCode, asset, amount }: Draft, clientTranId: string) => ({
  ...{ toAccountType: kind, toAccount: account.trim(), asset, amount: amount.trim(), clientTranId },
  ...(kind === 'MOBILE' ? { areaCode: areaCode.trim() } : {}),
});

interface ReceiverProps {
  readonly draft: Draft;
  readonly onChange: (changes: Partial<Draft>) => void;
  readonly faultOf: (name: 'areaCode' | 'toAccount') => string | null;
}

/** Whom it is for. */
const Receiver = ({ draft: { kind, areaCode, account }, onChange, faultOf }: ReceiverProps) => (
  <>
    <ChoiceField label="By" value={kind} choices={kinds} onChoose={(next) => onChange({ kind: next })} />
    {kind === 'MOBILE' ? (
      <Field
        label="Area code"
        value={areaCode}
        onInput={(value) => onChange({ areaCode: value })}
        fault={faultOf('areaCode')}
      />
    ) : null}
    <Field
      label="To"
      name="toAccount"
      value={account}
      onInput={(value) => onChange({ account: value })}
      fault={faultOf('toAccount')}
    />
  </>
);

/** Sends money to somebody else on this exchange. An id of the act makes a repetition the same one. DEC-WEB-35. */
export function ToAnotherUser({ holdings, onDone }: ToAnotherUserProps) {
  const assets = heldAssets(holdings);
  const [draft, setDraft] = useState<Draft>({
    ...{ kind: 'UID', account: '', areaCode: '', amount: '' },
    asset: assets.includes('USDT') ? 'USDT' : (assets[0] ?? ''),
  });
  const [clientTranId, setId] = useState<string | null>(null);
  const [isTried, setTried] = useState(false);
  const act = useAct();
  const { kind, account, areaCode, asset, amount } = draft;
  const free = freeOf(holdings, asset);
  const faults = {
    toAccount: account.trim() === '' ? 'Write whom it is for.' : null,
    areaCode: kind === 'MOBILE' && areaCode.trim() === '' ? 'Write the area code, such as 49.' : null,
    amount: faultOfMove(amount.trim(), asset, free),
  };
  const isFaultless = Object.values(faults).every((fault) => fault === null);
  const change = (changes: Partial<Draft>): void => {
    setDraft({ ...draft, ...changes });
    act.forget();
  };
  const close = (): void => setId(null);
  const send = async (): Promise<void> => {
    if (clientTranId === null) return;
    if (!(await act.run(async (client) => void (await client.send(membersOf(draft, clientTranId)))))) return;
    say(`Sent ${amount.trim()} ${asset}.`, 'good');
    close();
    setTried(false);
    setDraft({ ...draft, amount: '' });
    onDone();
  };
  if (assets.length === 0) return <Empty text="There is nothing to send." />;
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        act.forget();
        if (isFaultless) setId(newActId());
      }}
    >
      <Receiver
        draft={draft}
        onChange={change}
        faultOf={(name) => faultAt(act.refusal, name) ?? (isTried ? faults[name] : null)}
      />
      <ChoiceField
        label="Asset"
        value={asset}
        choices={assets.map((each) => ({ value: each, text: each }))}
        onChoose={(value) => change({ asset: value })}
      />
      <AmountField
        {...{ asset, free, value: amount }}
        onInput={(value) => change({ amount: value })}
        fault={faultAt(act.refusal, 'amount') ?? (isTried ? faults.amount : null)}
      />
      <Button kind="primary" type="submit">
        Review
      </Button>
      {clientTranId === null ? null : (
        <ConfirmDialog
          title="Send to another user"
          act="Send it"
          facts={[
            [
              kinds.find(({ value }) => value === kind)?.text ?? kind,
              `${kind === 'MOBILE' ? `+${areaCode} ` : ''}${account}`,
            ],
            ['Amount', <Sum value={amount.trim()} coin={asset} />, 'strong'],
          ]}
          isBusy={act.isBusy}
          refused={act.refusal?.text ?? null}
          onConfirm={() => void send()}
          onClose={close}
        >
          <p class="note">It is there at once, without a fee, and cannot be taken back.</p>
        </ConfirmDialog>
      )}
    </form>
  );
}
