import { useState } from 'preact/hooks';
import { faultAt, useAct } from '#web/data/use-answer.ts';
import { type CoinNetwork, freeOf, type Holding } from '#web/data/wallet.ts';
import { Button } from '#web/design/button.tsx';
import { Facts } from '#web/design/facts.tsx';
import { Field } from '#web/design/field.tsx';
import { NumberText, Sum } from '#web/design/values.tsx';
import { AddressBook } from '#web/pages/wallet/address-book.tsx';
import { arriving, emptyDraft, faultsOf, mostOf, type WithdrawDraft } from '#web/pages/wallet/withdraw-draft.ts';
import { WithdrawReview } from '#web/pages/wallet/withdraw-review.tsx';

interface WithdrawFormProps {
  readonly coin: string;
  readonly network: CoinNetwork;
  readonly holdings: readonly Holding[] | null;
  readonly onDone: () => void;
}

const trimmed = ({ address, memo, amount, remark }: WithdrawDraft): WithdrawDraft => ({
  ...{ address: address.trim(), memo: memo.trim(), amount: amount.trim(), remark: remark.trim() },
});

/** What holds for withdrawals of a coin on a network, and what of the amount arrives. */
const Terms = ({
  coin,
  network,
  amount,
}: {
  readonly coin: string;
  readonly network: CoinNetwork;
  readonly amount: string;
}) => (
  <Facts
    facts={[
      ['Fee, inside the amount', <Sum value={network.withdrawFee} coin={coin} />],
      [
        'At least, at most',
        <>
          <NumberText value={network.withdrawMin} /> – <NumberText value={network.withdrawMax} /> {coin}
        </>,
      ],
      ['Multiple of', network.withdrawIntegerMultiple],
      ['Arrives', <Sum value={arriving(amount.trim(), network)} coin={coin} />, 'strong'],
    ]}
  />
);

interface FieldsProps {
  readonly coin: string;
  readonly network: CoinNetwork;
  readonly free: string | null;
  readonly draft: WithdrawDraft;
  readonly faultOf: (name: keyof WithdrawDraft) => string | null;
  readonly onChange: (changes: Partial<WithdrawDraft>) => void;
}

/** Whom it is for: an address, and a memo where that is shared. */
const Receiver = ({ coin, network, draft, faultOf, onChange }: FieldsProps) => (
  <>
    <Field
      label="Address"
      name="address"
      value={draft.address}
      onInput={(address) => onChange({ address })}
      fault={faultOf('address')}
      aside={<AddressBook coin={coin} network={network} onChoose={(address, memo) => onChange({ address, memo })} />}
    />
    <Field
      label={network.sameAddress ? 'Memo or tag' : 'Memo, where the address needs one'}
      name="memo"
      value={draft.memo}
      onInput={(memo) => onChange({ memo })}
      fault={faultOf('memo')}
    />
    {network.sameAddress && draft.memo.trim() === '' ? (
      <p class="warning">Exchanges share addresses on this network: without the memo that they told you it is lost.</p>
    ) : null}
  </>
);

/** How much, and a note. */
const What = ({ coin, network, free, draft, faultOf, onChange }: FieldsProps) => (
  <>
    <Field
      label="Amount"
      name="amount"
      inputMode="decimal"
      unit={coin}
      value={draft.amount}
      onInput={(amount) => onChange({ amount })}
      fault={faultOf('amount')}
      aside={
        <span>
          Free <NumberText value={free} />{' '}
          <button
            type="button"
            class="link-button"
            disabled={free === null}
            onClick={() => onChange({ amount: mostOf(free ?? '0', network) })}
          >
            All
          </button>
        </span>
      }
    />
    <Field
      label="Remark, for yourself"
      name="remark"
      value={draft.remark}
      onInput={(remark) => onChange({ remark })}
      fault={faultOf('remark')}
    />
  </>
);

/** Where to, how much, and a note; it is asked for after a review. DEC-WEB-34. */
export function WithdrawForm({ coin, network, holdings, onDone }: WithdrawFormProps) {
  const [draft, setDraft] = useState(emptyDraft);
  const [isTried, setTried] = useState(false);
  const [isInReview, setInReview] = useState(false);
  const act = useAct();
  const free = freeOf(holdings, coin);
  const faults = faultsOf(draft, { coin, network, free });
  const fields: FieldsProps = {
    ...{ coin, network, free, draft },
    faultOf: (name) => faultAt(act.refusal, name) ?? (isTried ? (faults[name] ?? null) : null),
    onChange: (changes) => {
      setDraft({ ...draft, ...changes });
      act.forget();
    },
  };
  const review = (): void => {
    setTried(true);
    act.forget();
    setInReview(Object.keys(faults).length === 0);
  };
  const finish = (): void => {
    setInReview(false);
    setDraft(emptyDraft);
    setTried(false);
    onDone();
  };
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        review();
      }}
    >
      <Receiver {...fields} />
      <What {...fields} />
      <Terms coin={coin} network={network} amount={draft.amount} />
      {network.withdrawTips === null ? null : <p class="note">{network.withdrawTips}</p>}
      {network.withdrawEnable ? null : (
        <p class="warning">Withdrawals on this network are switched off at the moment.</p>
      )}
      <Button kind="primary" type="submit" disabled={!network.withdrawEnable}>
        Review
      </Button>
      {isInReview ? (
        <WithdrawReview
          {...{ coin, network, act }}
          draft={trimmed(draft)}
          onClose={() => setInReview(false)}
          onDone={finish}
        />
      ) : null}
    </form>
  );
}
