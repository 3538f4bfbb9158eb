import type { Operation, Parameter } from '#web/reference/operation.ts';

/** A request as it is sent, without what proves who sends it. */
export interface RequestText {
  readonly method: string;
  /** Address of the server. */
  readonly server: string;
  readonly path: string;
  /** `name=value` pairs, encoded; empty: there are none. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; `null`: it has none. */
  readonly body: string | null;
}

/** What a form holds: values of parameters by name, and the text of the body. */
export interface FormValues {
  readonly values: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Percent-encoding in which no character means something to a shell, to Python or to JavaScript. */
export const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

/** What a form begins with. */
export const firstValues = ({ parameters, body }: Operation): FormValues => ({
  values: Object.fromEntries(parameters.map(({ name, isGiven, example }) => [name, isGiven ? example : ''])),
  body: body === null ? '' : JSON.stringify(body.example ?? {}, null, 2),
});

const givenOf = ({ name }: Parameter, { values }: FormValues): string => values[name] ?? '';

/** What is wrong with a form, by the name of the parameter; `body` for the body. Nothing: it can be sent. */
export function faultsOf(operation: Operation, form: FormValues): Readonly<Record<string, string>> {
  const faults: Record<string, string> = {};
  for (const parameter of operation.parameters) {
    const value = givenOf(parameter, form);
    if (parameter.place === 'path' && value === '') faults[parameter.name] = 'It stands in the path.';
    if (parameter.place === 'header' && /[^\x20-\x7e]/.test(value)) faults[parameter.name] = 'Plain characters only.';
  }
  if (operation.body !== null) {
    try {
      JSON.parse(form.body);
    } catch (error) {
      faults['body'] = `This is no JSON: ${(error as Error).message}.`;
    }
  }
  return faults;
}

/** The request of a form. What is empty is left out; a path without its value keeps the name in braces. DEC-WEB-71. */
export function requestTextOf(operation: Operation, form: FormValues): RequestText {
  const { method, server, path, parameters, body } = operation;
  const given = parameters.filter((parameter) => givenOf(parameter, form) !== '');
  const pairs = given
    .filter(({ place }) => place === 'query')
    .map((parameter) => `${parameter.name}=${encoded(givenOf(parameter, form))}`);
  const filled = given
    .filter(({ place }) => place === 'path')
    .reduce((text, parameter) => text.replace(`{${parameter.name}}`, () => encoded(givenOf(parameter, form))), path);
  const headers = given
    .filter(({ place }) => place === 'header')
    .map((parameter) => [parameter.name, givenOf(parameter, form)] as const);
  return {
    method,
    server,
    path: filled,
    query: pairs.join('&'),
    headers: { ...Object.fromEntries(headers), ...(body === null ? {} : { 'Content-Type': 'application/json' }) },
    body: body === null ? null : compacted(form.body),
  };
}

/** JSON on one line; what is no JSON stays. */
function compacted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}
