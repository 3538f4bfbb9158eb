/** A part of a request that is at fault. */
export interface FaultyMember {
  /** What it must be, as a clause. */
  readonly detail: string;
  /** Of a member of the body: where it is, as in RFC 6901. */
  readonly pointer?: string;
  /** Of a part of the path or the query: its name. */
  readonly parameter?: string;
  readonly header?: string;
}

/** The operator API refused a call, and changed nothing. DEC-KIT-82. */
export class OperatorProblem extends Error {
  override readonly name: string = 'OperatorProblem';
  /** Status of the answer. */
  readonly status: number;
  /** Name of the problem, such as `invalidMember`; empty where the answer was none of the exchange. */
  readonly code: string;
  /** Where the first member at fault is in the body, as in RFC 6901; `null`: none of the body is. */
  readonly pointer: string | null;
  /** All that is at fault, as far as it is named. */
  readonly errors: readonly FaultyMember[];

  constructor(call: string, status: number, code: string, detail: string, errors: readonly FaultyMember[]) {
    super(`${call}: ${detail}`);
    this.status = status;
    this.code = code;
    this.pointer = errors.find(({ pointer }) => pointer !== undefined)?.pointer ?? null;
    this.errors = errors;
  }
}
