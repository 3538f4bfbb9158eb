/** A text to print and an exit code: 0 goes to standard output, others to standard error. */
export interface PrintedAnswer {
  readonly exit: number;
  readonly text: string;
}
