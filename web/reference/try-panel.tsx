import { useRef, useState } from 'preact/hooks';
import { Button } from '#web/design/button.tsx';
import { ConfirmDialog } from '#web/design/confirm-dialog.tsx';
import { type AnswerText, readAnswer } from '#web/reference/answer-text.ts';
import type { Caller } from '#web/reference/caller.ts';
import { CodeBlock, CodeTabs } from '#web/reference/code-block.tsx';
import type { Operation } from '#web/reference/operation.ts';
import type { RequestText } from '#web/reference/request-text.ts';
import { hidden, type Proof, snippetsOf } from '#web/reference/snippets.ts';

interface TryPanelProps {
  readonly operation: Operation;
  readonly request: RequestText;
  readonly caller: Caller;
  /** Whether the form can be sent. */
  readonly isComplete: boolean;
}

/** The same proof with what must not be seen over a shoulder left out. */
function shownProof(proof: Proof): Proof {
  if (proof.kind === 'keys' && proof.keys !== null)
    return { ...proof, keys: { accessKey: proof.keys.accessKey, secretKey: hidden } };
  return proof.kind === 'token' && proof.token !== null ? { ...proof, token: hidden } : proof;
}

const isProved = (proof: Proof): boolean =>
  proof.kind === 'none' || (proof.kind === 'keys' ? proof.keys !== null : proof.token !== null);

/** Code that sends the request of the form. The secret is not shown; what is copied has it. DEC-WEB-72. */
function Snippets({ request, proof }: { readonly request: RequestText; readonly proof: Proof }) {
  const shown = snippetsOf(request, shownProof(proof));
  const copied = snippetsOf(request, proof);
  return (
    <CodeTabs
      what="request"
      choices={shown.map(({ language, code }, index) => ({ language, code, copied: copied[index]?.code ?? code }))}
    />
  );
}

const Answer = ({ answer }: { readonly answer: AnswerText }) => (
  <section class="answer" aria-label="Answer" role="status">
    <p class="answer-head">
      <strong class={answer.status < 300 ? 'up' : 'down'}>
        {answer.status} {answer.statusText}
      </strong>
      <span class="soft">
        {answer.ms} ms, {answer.bytes.toLocaleString('en')} bytes{answer.isCut ? ', the beginning is shown' : ''}
      </span>
    </p>
    {answer.text === '' ? null : <CodeBlock what="answer" code={answer.text} />}
    {answer.headers.length === 0 ? null : (
      <p class="answer-headers soft">
        {answer.headers.map(([name, value]) => (
          <span key={name}>
            {name}: {value}
          </span>
        ))}
      </p>
    )}
  </section>
);

/** What an answer may look like, until one came. */
const Example = ({ operation: { answer } }: { readonly operation: Operation }) =>
  answer?.example === undefined ? null : (
    <>
      <p class="answer-head soft">An answer looks so:</p>
      <CodeBlock what="example" code={JSON.stringify(answer.example, null, 2)} />
    </>
  );

/** The request as code, and what comes back when it is sent from here. DEC-WEB-71. */
export function TryPanel({ operation, request, caller, isComplete }: TryPanelProps) {
  const [isBusy, setBusy] = useState(false);
  // A second click may come before the button is drawn anew.
  const isSending = useRef(false);
  const [isAsking, setAsking] = useState(false);
  const [answer, setAnswer] = useState<AnswerText | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const proof = caller.proofFor(operation);
  const send = async (): Promise<void> => {
    if (isSending.current) return;
    isSending.current = true;
    setAsking(false);
    setBusy(true);
    setFault(null);
    try {
      setAnswer(await readAnswer(await caller.send(operation, request)));
    } catch (error) {
      setAnswer(null);
      setFault(error instanceof TypeError ? 'The exchange does not answer.' : (error as Error).message);
    } finally {
      isSending.current = false;
      setBusy(false);
    }
  };
  const asksFirst = caller.asksFirst && operation.method !== 'GET';
  const as = operation.access === 'public' || caller.name === null ? '' : ` as ${caller.name}`;
  return (
    <section class="card panel try-panel" aria-label="Request">
      <Snippets request={request} proof={proof} />
      <div class="try-acts">
        <Button
          kind="primary"
          disabled={isBusy || !isComplete}
          onClick={() => (asksFirst ? setAsking(true) : void send())}
        >
          {isBusy ? 'Sending …' : `Send${as}`}
        </Button>
        {proof.kind === 'none' ? null : (
          <span class="soft">
            {isProved(proof)
              ? 'The secret is put in when you copy.'
              : 'Without an account it is refused: choose one above.'}
          </span>
        )}
      </div>
      {isAsking ? (
        <ConfirmDialog
          title={operation.name}
          act={`Send${as}`}
          facts={[['Request', `${request.method} ${request.path}`]]}
          isBusy={isBusy}
          refused={null}
          onConfirm={() => void send()}
          onClose={() => setAsking(false)}
        >
          <p>It is done at once, with real money.</p>
        </ConfirmDialog>
      ) : null}
      {fault === null ? null : (
        <p class="refused" role="alert">
          {fault}
        </p>
      )}
      {answer === null ? <Example operation={operation} /> : <Answer answer={answer} />}
    </section>
  );
}
