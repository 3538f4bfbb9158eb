import { BourseError, UnknownOutcome } from '#client/client.ts';

/** Why something could not be done, as it is shown. */
export interface Refusal {
  /** Words of the exchange, with its code. */
  readonly text: string;
  /** The parameter that the exchange names; `null`: none in particular. */
  readonly parameter: string | null;
}

/** What this key, or this kind of account, may not do. */
const noPermission = 700_007;
/** The account is not in its usual state: where the exchange says no more, it is frozen or closed. */
const accountAbnormal = 60_005;
const parameterPattern = /'(\w+)'/;

/** What is told of a failed call: the exchange's words and code, and which parameter it is about. DEC-WEB-30. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof UnknownOutcome)
    return { text: 'No answer came: it may have happened. Look at the history before you try again.', parameter: null };
  if (!(error instanceof BourseError)) return { text: 'This browser could not send it.', parameter: null };
  const { endpoint, code, status, isLost } = error;
  if (isLost && status === 0) return { text: 'The exchange does not answer.', parameter: null };
  const words = error.message.replace(`${endpoint}: `, '');
  const text = code === 0 || words.includes(`${code}`) ? words : `${words.replace(/\.$/, '')} (code ${code})`;
  if (code === noPermission) return { text: `This key or account may not do that: ${text}`, parameter: null };
  if (code === accountAbnormal && /^Account abnormal\.?(?: \(60005\))?$/.test(words))
    return { text: 'This account is frozen or closed: it may not do that (code 60005)', parameter: null };
  return { text, parameter: parameterPattern.exec(words)?.[1] ?? null };
}

/** What to say of a failed call. */
export const reasonOf = (error: unknown): string => refusalOf(error).text;
