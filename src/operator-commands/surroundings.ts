/** What the commands need from outside. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Answers the text of a file. @throws what the file system throws. */
  readonly readFile: (path: string) => string;
  /** The same, of a file that nobody else may read. @throws Error that says what to do. */
  readonly readPrivateFile: (path: string) => string;
  readonly pause: (ms: number) => Promise<unknown>;
}
