/** What a step was answered, by either API. */
export interface StepAnswer {
  /** HTTP status; `null`: the answer was lost, or could not be read. */
  readonly status: number | null;
  /** Code of a refusal, of the operator API its name; `null`: it was none. */
  readonly code: number | string | null;
  readonly body: unknown;
}

/** The answer of a step that does not ask. */
export const done: StepAnswer = { status: 200, code: null, body: null };

/** A step did not do what the scenario says. Steps behind it are not made. DEC-KIT-72. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed';
  readonly expected: string;
  readonly seen: string;

  constructor(expected: string, seen: string) {
    super(`expected ${expected}, and saw ${seen}`);
    this.expected = expected;
    this.seen = seen;
  }
}

const shownLength = 400;

/** A value in one line, cut where it is long. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}
