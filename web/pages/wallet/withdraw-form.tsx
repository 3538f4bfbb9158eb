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

/** Where to, how much, and a note; it is asked for after a review. DEC-WEB-34. */
export function WithdrawForm({ coin, network, holdings, onDone }: WithdrawFormProps) {
  const [draft, setDraft] = useState(emptyDraft);
  const [isTried, setTried] = useState(false);
  const [isInReview, setInReview] = useState(false);
  const act = useAct();
  const free = freeOf(holdings, coin);
  const faults = faultsOf(draft, { coin, network, free });
  const change = (changes: Partial<WithdrawDraft>): void => {
    setDraft({ ...draft, ...changes });
    act.forget();
  };
  const faultOf = (name: keyof WithdrawDraft): string | null =>
    faultAt(act.refusal, name) ?? (isTried ? (faults[name] ?? null) : null);
  const review = (): void => {
    setTried(true);
    act.forget();
    setInReview(Object.keys(faults).length === 0);
  };
  const close = (): void => setInReview(false);
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        review();
      }}
    >
      <Field
        label="Address"
        name="address"
        value={draft.address}
        onInput={(address) => change({ address })}
        fault={faultOf('address')}
        aside={<AddressBook coin={coin} network={network} onChoose={(address, memo) => change({ address, memo })} />}
      />
      <Field
        label={network.sameAddress ? 'Memo or tag' : 'Memo, where the address needs one'}
        name="memo"
        value={draft.memo}
        onInput={(memo) => change({ memo })}
        fault={faultOf('memo')}
      />
      {network.sameAddress && draft.memo.trim() === '' ? (
        <p class="warning">
          Exchanges share addresses on this network: without the memo that they told you it is lost.
        </p>
      ) : null}
      <Field
        label="Amount"
        name="amount"
        inputMode="decimal"
        unit={coin}
        value={draft.amount}
        onInput={(amount) => change({ amount })}
        fault={faultOf('amount')}
        aside={
          <span>
            Free <NumberText value={free} />{' '}
            <button
              type="button"
              class="link-button"
              disabled={free === null}
              onClick={() => change({ amount: mostOf(free ?? '0', network) })}
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
        onInput={(remark) => change({ remark })}
        fault={faultOf('remark')}
      />
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
          onClose={close}
          onDone={() => {
            close();
            setDraft(emptyDraft);
            setTried(false);
            onDone();
          }}
        />
      ) : null}
    </form>
  );
}
