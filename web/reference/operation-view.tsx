import { useState } from 'preact/hooks';
import { CopyButton } from '#web/design/copy-button.tsx';
import { ScrollFrame } from '#web/design/scroll-frame.tsx';
import { LongField } from '#web/design/long-field.tsx';
import type { Caller } from '#web/reference/caller.ts';
import { type Operation, retryText } from '#web/reference/operation.ts';
import { ParameterField } from '#web/reference/parameter-field.tsx';
import { Blocks } from '#web/reference/prose.tsx';
import { faultsOf, firstValues, type FormValues, requestTextOf } from '#web/reference/request-text.ts';
import { SchemaTable } from '#web/reference/schema-table.tsx';
import { TryPanel } from '#web/reference/try-panel.tsx';

/** The method of a request, in a colour of its own. */
export const Method = ({ method }: { readonly method: string }) => (
  <span class={`method ${method.toLowerCase()}`}>{method === 'DELETE' ? 'DEL' : method}</span>
);

const Head = ({ operation }: { readonly operation: Operation }) => (
  <header class="operation-head">
    <h1>{operation.name}</h1>
    <p class="operation-address">
      <Method method={operation.method} />
      <code>{operation.path}</code>
      <CopyButton text={operation.path} what="path" />
    </p>
    <Blocks text={operation.about} />
    {operation.aliasOf === null ? null : (
      <p>
        Another path of <a href={`/docs/${operation.aliasOf}`}>{operation.aliasOf}</a>.
      </p>
    )}
    <ul class="terms">
      <li>{operation.access === 'public' ? 'No key is needed' : operation.access === 'signed' ? 'Signed' : 'Token'}</li>
      {operation.terms.map(([name, value]) => (
        <li key={name}>
          <span class="soft">{name}</span> {value}
        </li>
      ))}
    </ul>
  </header>
);

interface FormProps {
  readonly operation: Operation;
  readonly form: FormValues;
  readonly faults: Readonly<Record<string, string>>;
  readonly onChange: (form: FormValues) => void;
}

function RequestForm({ operation, form, faults, onChange }: FormProps) {
  const { parameters, body } = operation;
  return (
    <section class="card panel" aria-label="Parameters">
      <h2>Parameters</h2>
      {parameters.length === 0 && body === null ? <p class="soft">It takes none.</p> : null}
      {parameters.map((parameter) => (
        <ParameterField
          key={parameter.name}
          parameter={parameter}
          value={form.values[parameter.name] ?? ''}
          fault={faults[parameter.name]}
          onInput={(value) => onChange({ ...form, values: { ...form.values, [parameter.name]: value } })}
        />
      ))}
      {body === null ? null : (
        <>
          <LongField
            label="Body, as JSON"
            value={form.body}
            fault={faults['body'] ?? null}
            onInput={(text) => onChange({ ...form, body: text })}
          />
          <SchemaTable label="Members of the body" schema={body.schema} />
        </>
      )}
    </section>
  );
}

const AnswerCard = ({ answer }: { readonly answer: NonNullable<Operation['answer']> }) => (
  <section class="card panel" aria-label="What it answers">
    <h2>What it answers</h2>
    <SchemaTable label="Members of the answer" schema={answer.schema} />
  </section>
);

const RefusalsCard = ({ refusals }: { readonly refusals: Operation['refusals'] }) => (
  <section class="card panel" aria-label="Refusals">
    <details>
      <summary>
        <h2>{refusals.length} refusals</h2>
      </summary>
      <ScrollFrame style="table-frame" label="Codes">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Status</th>
              <th scope="col">Code</th>
              <th scope="col">Text</th>
              <th scope="col">Try again</th>
            </tr>
          </thead>
          <tbody>
            {refusals.map(({ name, status, code, text, retry }) => (
              <tr key={`${name} ${status}`}>
                <td>{status}</td>
                <td>
                  <code>{code}</code>
                </td>
                <td class="wrap">{text}</td>
                <td class="soft">{retryText(retry)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollFrame>
    </details>
  </section>
);

/** An endpoint: what it does, a form that sends it, the same as code, and what comes back. DEC-WEB-71. */
export function OperationView({ operation, caller }: { readonly operation: Operation; readonly caller: Caller }) {
  const [form, setForm] = useState(() => firstValues(operation));
  const faults = faultsOf(operation, form);
  return (
    <article class="operation">
      <Head operation={operation} />
      <div class="operation-parts">
        <div class="operation-told">
          <RequestForm operation={operation} form={form} faults={faults} onChange={setForm} />
          {operation.answer === null ? null : <AnswerCard answer={operation.answer} />}
          <RefusalsCard refusals={operation.refusals} />
        </div>
        <TryPanel
          operation={operation}
          request={requestTextOf(operation, form)}
          caller={caller}
          isComplete={Object.keys(faults).length === 0}
        />
      </div>
    </article>
  );
}
