import { useState } from 'preact/hooks';
import { Button } from '#web/design/button.tsx';
import { Refused } from '#web/design/facts.tsx';
import { ChoiceField, Field } from '#web/design/field.tsx';
import { useCall } from '#web/office/data/use-office.ts';
import { AccountField, usePeople } from '#web/office/sandbox/account-field.tsx';
import { MarketField } from '#web/office/sandbox/market-field.tsx';
import { useControl } from '#web/office/sandbox/use-control.ts';

interface ChainDepositProps {
  readonly network: string;
  /** Coins of the network. */
  readonly coins: readonly string[];
  readonly onDone: () => void;
}

/** Another address than those of the account. */
const other = '';

/** Somebody outside pays: to an address of an account, or to any. */
export function ChainDeposit({ network, coins, onDone }: ChainDepositProps) {
  const { people } = usePeople();
  const control = useControl(['asset', 'address', 'memo', 'amount']);
  const { faults } = control;
  const [uid, setUid] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const [address, setAddress] = useState('');
  const [memo, setMemo] = useState('');
  const [asset, setAsset] = useState(coins[0] ?? '');
  const [amount, setAmount] = useState('');
  const all = useCall('listDepositAddresses', /^\d{1,9}$/.test(uid) ? { uid: Number(uid) } : null);
  const own = (all.value?.items ?? []).filter((each) => each.network === network);
  const place = own.find((each) => each.address === (chosen ?? own[0]?.address)) ?? null;
  const hasNone = all.value !== null && own.length === 0;
  const giveAddress = async (): Promise<void> => {
    if ((await control.run('giveAddress', { network, uid: Number(uid) }, 'It has an address.')) !== null) all.reload();
  };
  const pay = async (): Promise<void> => {
    const to = place ?? { address: address.trim(), memo: memo.trim() === '' ? null : memo.trim() };
    const members = { network, asset, address: to.address, memo: to.memo, amount: amount.trim() };
    if ((await control.run('depositOnChain', members, `${amount.trim()} ${asset} are on their way.`)) !== null)
      onDone();
  };
  return (
    <form
      class="office-form"
      onSubmit={(event) => {
        event.preventDefault();
        void pay();
      }}
    >
      <div class="control-grid">
        <AccountField
          label="To the account"
          value={uid}
          people={people}
          none="Any address"
          onInput={(next) => {
            setUid(next);
            setChosen(null);
          }}
        />
        {own.length === 0 ? null : (
          <ChoiceField
            label="Address"
            value={place?.address ?? other}
            choices={[
              ...own.map((each) => ({
                value: each.address,
                text: each.memo === null ? each.address : `${each.address} · memo ${each.memo}`,
              })),
              { value: other, text: 'Another address' },
            ]}
            onChoose={setChosen}
          />
        )}
        {place === null ? (
          <>
            <Field label="Address that is paid" value={address} onInput={setAddress} fault={faults['address']} />
            <Field label="Memo" value={memo} onInput={setMemo} placeholder="none" fault={faults['memo']} />
          </>
        ) : null}
        <MarketField label="Coin" value={asset} names={coins} onInput={setAsset} fault={faults['asset']} />
        <Field label="Amount" value={amount} inputMode="decimal" onInput={setAmount} fault={faults['amount']} />
      </div>
      {hasNone ? (
        <div class="office-acts">
          <span class="soft">The account has no address on {network} yet.</span>
          <Button isSmall disabled={control.isBusy} onClick={() => void giveAddress()}>
            Give it one
          </Button>
        </div>
      ) : null}
      <Refused text={faults[''] ?? all.fault} />
      <div class="office-acts">
        <Button kind="primary" type="submit" disabled={control.isBusy}>
          Pay
        </Button>
      </div>
    </form>
  );
}
