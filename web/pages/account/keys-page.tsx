import { useState } from 'preact/hooks';
import type { AnswerOf } from '#client/client.ts';
import { useAct, useAnswer } from '#web/data/use-answer.ts';
import { Button } from '#web/design/button.tsx';
import { ConfirmDialog } from '#web/design/confirm-dialog.tsx';
import { ChoiceField } from '#web/design/field.tsx';
import { Empty } from '#web/design/states.tsx';
import { type Column, Table } from '#web/design/table.tsx';
import { say } from '#web/design/toasts.tsx';
import { TimeText } from '#web/design/values.tsx';
import { AccountFrame } from '#web/pages/account/account-frame.tsx';
import { KeyForm } from '#web/pages/account/key-form.tsx';
import { readSubAccounts } from '#web/pages/account/read-sub-accounts.ts';
import { goTo, type PathParts } from '#web/shell/router.ts';
import { WhenRead } from '#web/shell/when-read.tsx';

type Key = AnswerOf<'subAccountKeys'>['subAccount'][number];

const columns: readonly Column<Key>[] = [
  { title: 'Note', style: 'wrap', cell: ({ note }) => note },
  { title: 'Access key', cell: ({ apiKey }) => <span class="code">{apiKey}</span> },
  { title: 'Permissions', style: 'wrap', cell: ({ permissions }) => permissions.replaceAll(',', ', ') },
  { title: 'Addresses', style: 'wrap', cell: ({ ip }) => (ip === '' ? 'Any' : ip.replaceAll(',', ', ')) },
  { title: 'Made', cell: ({ creatTime }) => <TimeText at={creatTime} /> },
  { title: 'Ends', cell: ({ endTime }) => (endTime === null ? 'Never' : <TimeText at={endTime} />) },
];

interface EndDialogProps {
  readonly of: Key;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Asks before a key is ended. */
function EndDialog({ of: { subAccount, apiKey, note }, onClose, onDone }: EndDialogProps) {
  const act = useAct();
  const end = async (): Promise<void> => {
    if (!(await act.run(async (client) => void (await client.deleteSubAccountKey({ subAccount, apiKey }))))) return;
    say('The key has ended.', 'good');
    onDone();
  };
  return (
    <ConfirmDialog
      title="End the key?"
      act="End it"
      isHarsh
      facts={[
        ['Sub-account', subAccount],
        ['Note', note],
        ['Access key', <span class="code">{apiKey}</span>],
      ]}
      isBusy={act.isBusy}
      refused={act.refusal?.text ?? null}
      onConfirm={() => void end()}
      onClose={onClose}
    >
      <p class="note">Its next request is refused.</p>
    </ConfirmDialog>
  );
}

function KeysOf({ subAccount }: { readonly subAccount: string }) {
  const [ended, setEnded] = useState<Key | null>(null);
  const answer = useAnswer(async (client) => (await client.subAccountKeys({ subAccount })).subAccount, [subAccount]);
  const acts: Column<Key> = {
    title: '',
    cell: (key) => (
      <Button isSmall aria-label={`End ${key.apiKey}`} onClick={() => setEnded(key)}>
        End
      </Button>
    ),
  };
  return (
    <>
      <div class="card">
        <WhenRead answer={answer} what="the keys">
          {(keys) => (
            <Table
              label="API keys"
              columns={[...columns, acts]}
              rows={keys}
              keyOf={({ apiKey }) => apiKey}
              empty="This sub-account has no key."
            />
          )}
        </WhenRead>
        <p class="panel-foot">
          What a key may do does not change: to change it, make another one and end the old one. A lost secret is
          replaced in the same way.
        </p>
      </div>
      <KeyForm key={subAccount} subAccount={subAccount} onDone={answer.reload} />
      {ended === null ? null : (
        <EndDialog
          of={ended}
          onClose={() => setEnded(null)}
          onDone={() => {
            setEnded(null);
            answer.reload();
          }}
        />
      )}
    </>
  );
}

function Keys({ asked }: { readonly asked: string | undefined }) {
  const answer = useAnswer(readSubAccounts, []);
  return (
    <WhenRead answer={answer} what="the sub-accounts">
      {(accounts) => {
        const chosen = accounts.find(({ subAccount }) => subAccount === asked) ?? accounts[0];
        if (chosen === undefined)
          return (
            <div class="card">
              <Empty text="Keys are made here for sub-accounts, and there is none yet.">
                <a class="button primary" href="/account/sub-accounts">
                  Open a sub-account
                </a>
              </Empty>
            </div>
          );
        return (
          <>
            <div class="card panel">
              <ChoiceField
                label="Sub-account"
                value={chosen.subAccount}
                choices={accounts.map(({ subAccount }) => ({ value: subAccount, text: subAccount }))}
                onChoose={(name) => goTo(`/account/keys/${encodeURIComponent(name)}`, true)}
              />
              <p class="note">Keys of this account itself are made by the exchange's operator.</p>
            </div>
            <KeysOf subAccount={chosen.subAccount} />
          </>
        );
      }}
    </WhenRead>
  );
}

/** API keys of sub-accounts: those there are, a new one, and the end of one. DEC-WEB-37. */
export const Page = ({ parts }: { readonly parts: PathParts }) => (
  <AccountFrame title="API keys">
    <Keys asked={parts['name']} />
  </AccountFrame>
);
