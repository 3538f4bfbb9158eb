/** What a check found. DEC-OPR-269. */
export interface Finding {
  /** What was looked at, in a word or two. */
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'fault';
  /** What is so. */
  readonly found: string;
  /** What to do; `null`: nothing. */
  readonly toDo: string | null;
}

/** Nothing to do. */
export const ok = (check: string, found: string): Finding => ({ check, state: 'ok', found, toDo: null });
/** It works, and may not for long. */
export const warning = (check: string, found: string, toDo: string): Finding => ({
  ...{ check, state: 'warning', found, toDo },
});
/** It does not work. */
export const fault = (check: string, found: string, toDo: string): Finding => ({
  ...{ check, state: 'fault', found, toDo },
});

/** A fault as a start tells it: what is to be done stands behind the first of these marks, if there is one. */
export function toldFault(check: string, sentence: string, otherwise: string): Finding {
  const [found = '', ...toDo] = sentence.replace(/\.$/, '').split(/(?:; |: (?=stop that one|choose ))/);
  return fault(check, found, toDo.join('; ') || otherwise);
}

/** Lines for people: what is to be done stands below what it is about. */
export function shownFindings(findings: readonly Finding[]): string {
  const width = Math.max(0, ...findings.map(({ check }) => check.length));
  return findings
    .map(({ check, state, found, toDo }) => {
      const line = `${state.padEnd(7)}  ${check.padEnd(width)}  ${found}\n`;
      return toDo === null ? line : `${line}${' '.repeat(width + 11)}→ ${toDo}\n`;
    })
    .join('');
}
