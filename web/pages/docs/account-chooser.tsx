import { useEffect, useState } from 'preact/hooks';
import { reasonOf } from '#web/data/refusal.ts';
import { type DemoAccount, demoAccounts, session, signIn, signOut } from '#web/data/session.ts';
import { say } from '#web/design/toasts.tsx';
import { openSignIn } from '#web/shell/sign-in.tsx';

const nobody = '';
const another = 'another key';

/** Who sends requests from this page: a demo account by a click, a pasted key, or nobody. DEC-WEB-73. */
export function AccountChooser() {
  const [accounts, setAccounts] = useState<readonly DemoAccount[]>([]);
  useEffect(() => void demoAccounts().then(setAccounts), []);
  const who = session.value;
  const isOwnKey = who !== null && !accounts.some(({ accessKey }) => accessKey === who.accessKey);
  const choose = async (value: string): Promise<void> => {
    const account = accounts.find(({ accessKey }) => accessKey === value);
    if (value === nobody) signOut();
    else if (account === undefined) openSignIn();
    else await signIn(account, account.name, true).catch((error: unknown) => say(reasonOf(error), 'bad'));
  };
  return (
    <label class="chooser">
      <span>Send as</span>
      <select
        key={`${who?.accessKey} ${accounts.length}`}
        value={who?.accessKey ?? nobody}
        onChange={(event) => {
          const select = event.currentTarget;
          void choose(select.value).then(() => {
            // What was not chosen in the end is not shown as if it were.
            select.value = session.peek()?.accessKey ?? nobody;
          });
        }}
      >
        <option value={nobody}>nobody: choose an account</option>
        {accounts.map(({ name, role, accessKey }) => (
          <option key={accessKey} value={accessKey}>
            {name} ({role})
          </option>
        ))}
        {isOwnKey ? <option value={who.accessKey}>{who.name}</option> : null}
        <option value={another}>another key …</option>
      </select>
    </label>
  );
}
