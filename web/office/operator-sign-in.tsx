import { useEffect, useState } from 'preact/hooks';
import { Button } from '#web/design/button.tsx';
import { Field } from '#web/design/field.tsx';
import {
  operator,
  resumeOperator,
  sandboxToken,
  signInOperator,
  signOutOperator,
} from '#web/office/operator-session.ts';

/** The way in: a token of the operator API, which stays in this tab. DEC-WEB-08. */
export function SignInCard() {
  const [token, setToken] = useState('');
  const [isKept, setKept] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [ofSandbox, setOfSandbox] = useState<string | null>(null);
  useEffect(() => {
    void resumeOperator();
    void sandboxToken().then(setOfSandbox);
  }, []);
  const enter = async (given: string, isKeptOn: boolean): Promise<void> => {
    setFault(null);
    try {
      await signInOperator(given, isKeptOn);
    } catch (error) {
      setFault((error as Error).message);
    }
  };
  return (
    <form
      class="card office-sign-in"
      onSubmit={(event) => {
        event.preventDefault();
        void enter(token.trim(), isKept);
      }}
    >
      <h1>Operators</h1>
      <p class="soft">The token stays in this tab. Everything that is done with it is in the audit under its name.</p>
      {ofSandbox === null ? null : (
        <div class="office-sandbox">
          <Button kind="primary" onClick={() => void enter(ofSandbox, true)}>
            Enter as root
          </Button>
          <p class="soft">
            This is a sandbox on your own machine: its token is given to this page. Or sign in with another one.
          </p>
        </div>
      )}
      <Field label="Token" type="password" value={token} onInput={setToken} fault={fault} />
      <label class="choice">
        <input type="checkbox" checked={isKept} onChange={(event) => setKept(event.currentTarget.checked)} />
        Keep it in this tab when the page is loaded again
      </label>
      <Button kind={ofSandbox === null ? 'primary' : 'plain'} type="submit" disabled={token.trim() === ''}>
        Sign in
      </Button>
    </form>
  );
}

/** Who acts, and the way out. */
export const OperatorTool = () =>
  operator.value === null ? null : (
    <>
      <span class="soft">{operator.value.actor}</span>
      <Button kind="quiet" onClick={signOutOperator}>
        Sign out
      </Button>
    </>
  );
