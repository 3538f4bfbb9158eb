import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { reasonOf } from '#web/data/refusal.ts';
import { type DemoAccount, demoAccounts, session, signIn, signOut } from '#web/data/session.ts';
import { Button } from '#web/design/button.tsx';
import { Dialog } from '#web/design/dialog.tsx';
import { Field } from '#web/design/field.tsx';
import { say } from '#web/design/toasts.tsx';
import { exchange } from '#web/shell/exchange-facts.ts';

/** Whether the window for signing in is open. */
const isOpen = signal(false);

/** Opens the window for signing in. */
export function openSignIn(): void {
  isOpen.value = true;
}

const close = (): void => {
  isOpen.value = false;
};

interface DemoListProps {
  readonly accounts: readonly DemoAccount[];
  readonly onChoose: (account: DemoAccount) => void;
}

const DemoList = ({ accounts, onChoose }: DemoListProps) => (
  <div class="account-menu">
    <p class="soft">Demo accounts, with play money:</p>
    <div class="account-choices">
      {accounts.map((account) => (
        <button key={account.accessKey} type="button" class="account-choice" onClick={() => onChoose(account)}>
          <span>{account.name}</span>
          <small>{account.role}</small>
        </button>
      ))}
    </div>
  </div>
);

/** Signs in with a demo account by a click, or with a pasted key. DEC-WEB-06. */
function SignInDialog() {
  const [accounts, setAccounts] = useState<readonly DemoAccount[]>([]);
  const [accessKey, setAccessKey] = useState('');
  const [secretKey, setSecretKey] = useState('');
  const [isKept, setKept] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => void demoAccounts().then(setAccounts), []);
  const enter = async (keys: { accessKey: string; secretKey: string }, name: string | null, kept: boolean) => {
    setFault(null);
    try {
      await signIn(keys, name, kept);
      say(`Signed in as ${session.value?.name}.`, 'good');
      close();
    } catch (error) {
      setFault(reasonOf(error));
    }
  };
  if (!window.isSecureContext)
    return (
      <Dialog title="Sign in" onClose={close}>
        <p>This browser signs only on https pages and on pages of this machine.</p>
      </Dialog>
    );
  return (
    <Dialog
      title={session.value === null ? 'Sign in' : `Signed in as ${session.value.name}`}
      onClose={close}
      isCalm={exchange.hasDemoKeys}
    >
      {session.value === null ? null : (
        <Button
          onClick={() => {
            signOut();
            close();
          }}
        >
          Sign out of {session.value.name}
        </Button>
      )}
      {accounts.length === 0 ? null : (
        <DemoList accounts={accounts} onChoose={(account) => enter(account, account.name, true)} />
      )}
      <form
        class="account-menu"
        onSubmit={(event) => {
          event.preventDefault();
          void enter({ accessKey: accessKey.trim(), secretKey: secretKey.trim() }, null, isKept);
        }}
      >
        <p class="soft">An API key. It stays in this tab: requests are signed here, and the secret is never sent.</p>
        <Field label="Access key" value={accessKey} onInput={setAccessKey} />
        <Field label="Secret key" type="password" value={secretKey} onInput={setSecretKey} fault={fault} />
        <label class="choice">
          <input type="checkbox" checked={isKept} onChange={(event) => setKept(event.currentTarget.checked)} />
          Keep it in this tab when the page is loaded again
        </label>
        <Button kind="primary" type="submit" disabled={accessKey.trim() === '' || secretKey.trim() === ''}>
          Sign in
        </Button>
      </form>
    </Dialog>
  );
}

/** Who is signed in, and the way in and out. */
export function AccountTool() {
  const who = session.value;
  return (
    <>
      {who === null ? (
        <Button kind="primary" onClick={openSignIn}>
          Sign in
        </Button>
      ) : (
        <>
          <Button kind="quiet" title="Change the account" onClick={openSignIn}>
            {who.name}
          </Button>
          <span class="wide-only">
            <Button kind="quiet" onClick={signOut}>
              Sign out
            </Button>
          </span>
        </>
      )}
      {isOpen.value ? <SignInDialog /> : null}
    </>
  );
}
