import { useState } from 'preact/hooks';
import { Button } from '#web/design/button.tsx';
import { TextToCopy } from '#web/design/copy-button.tsx';
import { Refused } from '#web/design/facts.tsx';
import { ChoiceField, Field } from '#web/design/field.tsx';
import { CloseIcon } from '#web/design/icons.tsx';
import { TimeText } from '#web/design/values.tsx';
import type { Answer } from '#web/office/data/office-calls.ts';
import { AccountLink } from '#web/office/parts/links.tsx';
import { AccountField, type People } from '#web/office/sandbox/account-field.tsx';
import { wallets } from '#web/office/sandbox/faucet-give.tsx';
import { MarketField } from '#web/office/sandbox/market-field.tsx';
import { spanOf } from '#web/office/sandbox/span-text.ts';
import { useControl } from '#web/office/sandbox/use-control.ts';

type Made = Answer<'openFaucet'>;

/** A key that was made: its secret is shown this once. */
const MadeKey = ({ uid, made }: { readonly uid: number; readonly made: Made['key'] }) => (
  <div class="made-key" role="status">
    <p>
      A key of account <AccountLink uid={uid} />
      {made.endsAt === null ? '' : ', which ends at '}
      {made.endsAt === null ? null : <TimeText at={made.endsAt} />}. The secret is shown this once.
    </p>
    <TextToCopy name="Access key" what="access key" text={made.accessKey} />
    <TextToCopy name="Secret key" what="secret key" text={made.secretKey} />
  </div>
);

interface Grant {
  readonly asset: string;
  readonly amount: string;
  readonly wallet: 'spot' | 'futures';
}

const grantsMax = 50;

interface FaucetOpenProps {
  readonly coins: readonly string[];
  readonly onOpened: () => void;
}

/** Opens an account with money and a key, in one call. */
export function FaucetOpen({ coins, onOpened }: FaucetOpenProps) {
  const [name, setName] = useState('test');
  const [grants, setGrants] = useState<readonly Grant[]>([{ asset: 'USDT', amount: '10000', wallet: 'spot' }]);
  const [made, setMade] = useState<Made | null>(null);
  const control = useControl([
    'name',
    ...grants.flatMap((_, at) => ['asset', 'amount', 'wallet'].map((of) => `grants/${at}/${of}`)),
  ]);
  const { faults } = control;
  const change = (at: number, part: Partial<Grant>): void =>
    setGrants((now) => now.map((grant, index) => (index === at ? { ...grant, ...part } : grant)));
  const open = async (): Promise<void> => {
    setMade(null);
    const opened = await control.run('openFaucet', { name: name.trim(), grants }, 'The account is open.');
    setMade(opened);
    if (opened !== null) onOpened();
  };
  return (
    <form
      class="office-form"
      onSubmit={(event) => {
        event.preventDefault();
        void open();
      }}
    >
      <Field label="Name" value={name} onInput={setName} fault={faults['name']} />
      {grants.map(({ asset, amount, wallet }, at) => (
        <div key={`${at}`} class="grant-line">
          <MarketField
            label="Coin"
            value={asset}
            names={coins}
            onInput={(next) => change(at, { asset: next })}
            fault={faults[`grants/${at}/asset`]}
          />
          <Field
            label="Amount"
            value={amount}
            inputMode="decimal"
            onInput={(next) => change(at, { amount: next })}
            fault={faults[`grants/${at}/amount`]}
          />
          <div class="office-member">
            <ChoiceField
              label="Wallet"
              value={wallet}
              choices={wallets}
              onChoose={(next) => change(at, { wallet: next })}
            />
            {faults[`grants/${at}/wallet`] === undefined ? null : (
              <span class="field-fault">{faults[`grants/${at}/wallet`]}</span>
            )}
          </div>
          <Button
            kind="quiet"
            isIcon
            aria-label={`Without coin ${at + 1}`}
            onClick={() => setGrants((now) => now.filter((_, index) => index !== at))}
          >
            <CloseIcon />
          </Button>
        </div>
      ))}
      <Refused text={faults[''] ?? null} />
      <div class="office-acts">
        <Button
          disabled={grants.length >= grantsMax}
          onClick={() => setGrants((now) => [...now, { asset: coins[0] ?? '', amount: '', wallet: 'spot' }])}
        >
          Another coin
        </Button>
        <Button kind="primary" type="submit" disabled={control.isBusy}>
          Open the account
        </Button>
      </div>
      {made === null ? null : <MadeKey uid={made.uid} made={made.key} />}
    </form>
  );
}

/** Makes a key of an account that ends by itself. */
export function FaucetKey({ people }: { readonly people: People }) {
  const control = useControl(['uid', 'seconds']);
  const { faults } = control;
  const [uid, setUid] = useState('');
  const [span, setSpan] = useState('1 h');
  const [made, setMade] = useState<Answer<'impersonate'> | null>(null);
  const make = async (): Promise<void> => {
    setMade(null);
    if (!/^\d{1,9}$/.test(uid)) return control.refuse({ uid: 'Choose an account.' });
    try {
      const seconds = Math.ceil(spanOf(span) / 1000);
      setMade(await control.run('impersonate', { uid: Number(uid), seconds }, 'The key is made.'));
    } catch (error) {
      control.refuse({ seconds: (error as Error).message });
    }
  };
  return (
    <form
      class="office-form"
      onSubmit={(event) => {
        event.preventDefault();
        void make();
      }}
    >
      <AccountField label="Whose key" value={uid} people={people} none="–" onInput={setUid} fault={faults['uid']} />
      <Field label="It ends after" value={span} onInput={setSpan} fault={faults['seconds']} />
      <Refused text={faults[''] ?? null} />
      <div class="office-acts">
        <Button kind="primary" type="submit" disabled={control.isBusy}>
          Make a key
        </Button>
      </div>
      {made === null ? null : <MadeKey uid={made.uid} made={made.key} />}
    </form>
  );
}
