import { useEffect } from 'preact/hooks';
import { operator, operatorToken, resumeOperator } from '#web/office/operator-session.ts';
import { SignInCard } from '#web/office/operator-sign-in.tsx';
import { type Caller, type Sent, sendNow } from '#web/reference/caller.ts';
import { ReferenceView } from '#web/reference/reference-view.tsx';
import type { RequestText } from '#web/reference/request-text.ts';
import { exchange } from '#web/shell/exchange-facts.ts';
import type { PathParts } from '#web/shell/router.ts';

/** Sends a request of the form, with the token of this tab if there is one. */
function send(_: unknown, { method, path, query, headers, body }: RequestText): Promise<Sent> {
  const token = operatorToken();
  const proof = token === null ? {} : { authorization: `Bearer ${token}` };
  return sendNow(`${path}${query === '' ? '' : `?${query}`}`, { method, body, headers: { ...headers, ...proof } });
}

const Who = () => (
  <p class="chooser">
    {operator.value === null ? (
      <>
        <span>Send as</span> <a href="/docs/">nobody: sign in with a token</a>
      </>
    ) : (
      <>
        <span>Send as</span> {operator.value.actor}
      </>
    )}
  </p>
);

/** The reference of the operator API: everybody may read it, a token sends. DEC-OPR-01, DEC-WEB-70. */
export function Page({ parts }: { readonly parts: PathParts }) {
  useEffect(() => {
    if (operator.peek() === null) void resumeOperator();
  }, []);
  const caller: Caller = {
    name: operator.value?.actor ?? null,
    proofFor: () => ({ kind: 'token', token: operator.value === null ? null : operatorToken() }),
    send,
    asksFirst: exchange.profile === 'production',
  };
  return (
    <ReferenceView title="Operator API" caller={caller} chooser={<Who />} chosen={parts['operation']}>
      <div class="beginning">
        <p>
          A token goes into the header <code>Authorization: Bearer …</code>. Refusals are problems of RFC 9457. Machines
          read <a href="/openapi.json">openapi.json</a>; <code>bourse op</code> has every endpoint as a command.
        </p>
        {operator.value === null ? <SignInCard /> : null}
      </div>
    </ReferenceView>
  );
}
