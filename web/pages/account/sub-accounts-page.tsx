import { useState } from 'preact/hooks';
import type { AnswerOf } from '#client/client.ts';
import { isNothing } from '#web/data/amounts.ts';
import { faultAt, useAct, useAnswer } from '#web/data/use-answer.ts';
import { Button } from '#web/design/button.tsx';
import { Dialog } from '#web/design/dialog.tsx';
import { Refused, StateName } from '#web/design/facts.tsx';
import { Field } from '#web/design/field.tsx';
import { type Column, Table } from '#web/design/table.tsx';
import { say } from '#web/design/toasts.tsx';
import { NumberText, TimeText } from '#web/design/values.tsx';
import { AccountFrame } from '#web/pages/account/account-frame.tsx';
import { readSubAccounts } from '#web/pages/account/read-sub-accounts.ts';
import { SubTransfer } from '#web/pages/account/sub-transfer.tsx';
import { WhenRead } from '#web/shell/when-read.tsx';

type SubAccount = AnswerOf<'subAccounts'>['subAccounts'][number];
type Asset = AnswerOf<'subAccountAssets'>['balances'][number];

const parameters = ['subAccount', 'note'];

/** Opens a sub-account. */
function OpenForm({ onDone }: { readonly onDone: () => void }) {
  const [name, setName] = useState('');
  const [note, setNote] = useState('');
  const act = useAct();
  const open = async (): Promise<void> => {
    const subAccount = name.trim();
    const isDone = await act.run(async (client) => {
      await client.openSubAccount({ subAccount, note: note.trim() === '' ? subAccount : note.trim() });
    });
    if (!isDone) return;
    say(`Opened ${subAccount}.`, 'good');
    setName('');
    setNote('');
    onDone();
  };
  return (
    <form
      class="card panel"
      onSubmit={(event) => {
        event.preventDefault();
        void open();
      }}
    >
      <h2>Open a sub-account</h2>
      <Field
        label="Name: 8 to 32 letters and digits"
        value={name}
        onInput={(value) => {
          setName(value);
          act.forget();
        }}
        fault={faultAt(act.refusal, 'subAccount')}
      />
      <Field label="Note, for yourself" value={note} onInput={setNote} fault={faultAt(act.refusal, 'note')} />
      <Refused text={faultAt(act.refusal, ...parameters) === null ? (act.refusal?.text ?? null) : null} />
      <Button kind="primary" type="submit" disabled={name.trim() === '' || act.isBusy}>
        Open
      </Button>
    </form>
  );
}

const assetColumns: readonly Column<Asset>[] = [
  { title: 'Asset', cell: ({ asset }) => asset },
  { title: 'Free', isRight: true, cell: ({ free }) => <NumberText value={free} /> },
  { title: 'Held', isRight: true, cell: ({ locked }) => <NumberText value={locked} /> },
];

/** What the spot wallet of a sub-account holds. */
function Holdings({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const answer = useAnswer(
    async (client) => (await client.subAccountAssets({ subAccount: name, accountType: 'SPOT' })).balances,
    [name],
  );
  return (
    <Dialog title={`Spot wallet of ${name}`} onClose={onClose}>
      <WhenRead answer={answer} what="the balances">
        {(balances) => (
          <Table
            label="Balances"
            columns={assetColumns}
            rows={balances.filter(({ free, locked }) => !isNothing(free) || !isNothing(locked))}
            keyOf={({ asset }) => asset}
            empty="It is empty."
          />
        )}
      </WhenRead>
    </Dialog>
  );
}

interface ListProps {
  readonly accounts: readonly SubAccount[];
}

function List({ accounts }: ListProps) {
  const [shown, setShown] = useState<string | null>(null);
  const columns: readonly Column<SubAccount>[] = [
    { title: 'Name', cell: ({ subAccount }) => <b>{subAccount}</b> },
    { title: 'Number', cell: ({ uid }) => <span class="number">{uid}</span> },
    {
      title: 'State',
      cell: ({ isFreeze }) => <StateName text={isFreeze ? 'Frozen' : 'Normal'} standing={isFreeze ? 'bad' : 'good'} />,
    },
    { title: 'Opened', cell: ({ createTime }) => <TimeText at={createTime} /> },
    {
      title: '',
      isRight: true,
      cell: ({ subAccount }) => (
        <span class="acts">
          <Button isSmall aria-label={`Balances of ${subAccount}`} onClick={() => setShown(subAccount)}>
            Balances
          </Button>
          <a class="button small" href={`/account/keys/${encodeURIComponent(subAccount)}`}>
            Keys
          </a>
        </span>
      ),
    },
  ];
  return (
    <>
      <Table
        label="Sub-accounts"
        columns={columns}
        rows={accounts}
        keyOf={({ uid }) => uid}
        empty="There is no sub-account yet."
      />
      {shown === null ? null : <Holdings name={shown} onClose={() => setShown(null)} />}
    </>
  );
}

function SubAccounts() {
  const answer = useAnswer(readSubAccounts, []);
  return (
    <>
      <div class="card">
        <WhenRead answer={answer} what="the sub-accounts">
          {(accounts) => <List accounts={accounts} />}
        </WhenRead>
      </div>
      <div class="card-grid">
        <OpenForm onDone={answer.reload} />
        {answer.value === null || answer.value.length === 0 ? null : <SubTransfer accounts={answer.value} />}
      </div>
    </>
  );
}

/** Sub-accounts: those there are, a new one, and money between them. DEC-WEB-37. */
export const Page = () => (
  <AccountFrame title="Sub-accounts">
    <SubAccounts />
  </AccountFrame>
);
