import { useState } from 'preact/hooks';
import { Button } from '#web/design/button.tsx';
import { Refused } from '#web/design/facts.tsx';
import { Field } from '#web/design/field.tsx';
import type { CallId } from '#web/office/data/office-calls.ts';
import { MarketField } from '#web/office/sandbox/market-field.tsx';
import { type Control, useControl } from '#web/office/sandbox/use-control.ts';

interface ChainProps {
  readonly network: string;
  readonly onDone: () => void;
}

const isWhole = (text: string): boolean => /^\d{1,6}$/.test(text.trim());

interface CountFormProps {
  readonly label: string;
  readonly act: string;
  /** What is entered at first. */
  readonly first: string;
  /** The member that the count is. */
  readonly member: string;
  readonly control: Control;
  readonly onSend: (count: number) => void;
}

/** A count with its button. */
function CountForm({ label, act, first, member, control, onSend }: CountFormProps) {
  const [count, setCount] = useState(first);
  const send = (): void => {
    if (isWhole(count)) onSend(Number(count));
    else control.refuse({ [member]: 'It must be a whole number.' });
  };
  return (
    <form
      class="control-line"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Field label={label} value={count} inputMode="decimal" onInput={setCount} fault={control.faults[member]} />
      <Button type="submit" disabled={control.isBusy}>
        {act}
      </Button>
    </form>
  );
}

/** A count that a control of a chain takes. */
function ChainCount({
  id,
  member,
  network,
  onDone,
  done,
  ...shown
}: ChainProps &
  Pick<CountFormProps, 'label' | 'act' | 'first' | 'member'> & { readonly id: CallId; readonly done: string }) {
  const control = useControl([member]);
  const send = async (count: number): Promise<void> => {
    if ((await control.run(id, { network, [member]: count }, done)) !== null) onDone();
  };
  return (
    <>
      <CountForm {...shown} member={member} control={control} onSend={(count) => void send(count)} />
      <Refused text={control.faults[''] ?? null} />
    </>
  );
}

/** Mines blocks now, or lets what is sent from now on wait for further ones. */
export const ChainBlocks = (props: ChainProps) => (
  <>
    <ChainCount {...props} id="mineBlocks" member="blocks" first="1" label="Blocks" act="Mine" done="Mined." />
    <ChainCount
      {...props}
      id="delayChain"
      member="blocks"
      first="0"
      label="Blocks that new payments wait more"
      act="Delay"
      done="Payments wait as asked."
    />
  </>
);

/** Replaces the newest blocks by empty ones. */
export function ChainReorganisation({ network, onDone }: ChainProps) {
  const control = useControl(['depth', 'blocks']);
  const [isDropped, setDropped] = useState(true);
  const [blocks, setBlocks] = useState('0');
  const send = async (depth: number): Promise<void> => {
    if (!isWhole(blocks)) return control.refuse({ blocks: 'It must be a whole number.' });
    const members = { network, depth, drop: isDropped, blocks: Number(blocks) };
    if ((await control.run('reorganiseChain', members, `The newest ${depth} blocks are others now.`)) !== null)
      onDone();
  };
  return (
    <>
      <CountForm
        label="Depth"
        act="Reorganise"
        first="1"
        member="depth"
        control={control}
        onSend={(depth) => void send(depth)}
      />
      <Field
        label="Blocks that are mined at once behind them"
        value={blocks}
        inputMode="decimal"
        onInput={setBlocks}
        fault={control.faults['blocks']}
      />
      <label class="choice">
        <input type="checkbox" checked={isDropped} onChange={(event) => setDropped(event.currentTarget.checked)} />
        Their payments are gone for good; else they are in the next block
      </label>
      <Refused text={control.faults[''] ?? null} />
    </>
  );
}

/** Bounds what the wallet that pays withdrawals can still pay. */
export function ChainWalletLimit({ network, coins, onDone }: ChainProps & { readonly coins: readonly string[] }) {
  const control = useControl(['asset', 'amount']);
  const { faults } = control;
  const [asset, setAsset] = useState(coins[0] ?? '');
  const [amount, setAmount] = useState('0');
  const limit = async (to: string | null): Promise<void> => {
    const done = to === null ? `It pays ${asset} without end.` : `It pays ${to} ${asset} more; then withdrawals wait.`;
    if ((await control.run('limitChainWallet', { network, asset, amount: to }, done)) !== null) onDone();
  };
  return (
    <>
      <MarketField label="Coin" value={asset} names={coins} onInput={setAsset} fault={faults['asset']} />
      <form
        class="control-line"
        onSubmit={(event) => {
          event.preventDefault();
          void limit(amount.trim());
        }}
      >
        <Field
          label="It can still pay"
          value={amount}
          inputMode="decimal"
          onInput={setAmount}
          fault={faults['amount']}
        />
        <Button type="submit" disabled={control.isBusy}>
          Limit
        </Button>
      </form>
      <div class="office-acts">
        <Button disabled={control.isBusy} onClick={() => void limit(null)}>
          Lift the limit
        </Button>
      </div>
      <Refused text={faults[''] ?? null} />
    </>
  );
}
