import type { Problem } from '#operator-api/requests/problems.ts';
import { exitCodes, type ExitCode } from '#operator-commands/exit-codes.ts';
import type { Member } from '#operator-commands/member-flags.ts';
import type { AnsweredProblem } from '#operator-commands/operator-client.ts';

/** Headers by the flags that set them. */
const headerFlags: Readonly<Record<string, string>> = {
  'Idempotency-Key': '--idempotency-key',
  'If-Match': '--if-match',
};

type Fault = AnsweredProblem['errors'][number];

const plainName = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** The flag for a pointer, and what of it is below that flag; `null`: none is for it. */
function flagAt(pointer: string, members: readonly Member[]): string | null {
  const parts = pointer.split('/').slice(1).map(plainName);
  for (let length = parts.length; length > 0; length -= 1) {
    const own = parts.slice(0, length);
    const member = members.find(({ place, path }) => place === 'body' && path.join('/') === own.join('/'));
    if (member === undefined) continue;
    return length === parts.length ? member.flag : `${member.flag} (at ${parts.slice(length).join('.')})`;
  }
  return null;
}

/** What the caller wrote for a part at fault: the argument, the flag, or where it stands in the body. */
function nameOf({ pointer, parameter, header }: Fault, members: readonly Member[]): string {
  if (header !== undefined) return headerFlags[header] ?? header;
  if (parameter !== undefined) {
    const member = members.find(({ place, path }) => place !== 'body' && path[0] === parameter);
    return member === undefined ? parameter : member.place === 'path' ? `<${member.flag}>` : member.flag;
  }
  if (pointer === undefined) return 'the request';
  return flagAt(pointer, members) ?? (pointer === '' ? 'the body' : `${pointer} of the body`);
}

/** A refusal, a line for each part at fault under the name that the caller gave it. DEC-OPR-261. */
export function toldRefusal({ code, detail, errors }: AnsweredProblem, members: readonly Member[]): string {
  if (errors.length === 0) return `${detail.replace(/\.$/, '')} (${code})`;
  return errors.map((fault) => `${nameOf(fault, members)} ${fault.detail} (${code})`).join('\n');
}

/** A refusal of the check before a request is sent, as the exchange would have answered it. */
export const answeredForm = ({ code, message, details }: Problem): AnsweredProblem => ({
  code,
  detail: message,
  errors: details.errors ?? [],
});

/** What a command ends with that was answered so; of a write 500 means that the outcome is unknown. DEC-OPR-261. */
export function exitOfStatus(status: number, isWrite: boolean): ExitCode {
  if (status === 400) return exitCodes.usage;
  if (status === 401 || status === 403 || status === 418) return exitCodes.notAllowed;
  if (status === 429 || status === 503) return exitCodes.notReached;
  return status >= 500 && isWrite ? exitCodes.outcomeUnknown : exitCodes.failed;
}
