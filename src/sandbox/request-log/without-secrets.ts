/*
 * Texts of clients and answers without what nobody else may read. Secrets of keys stand in the answer that makes a key;
 * passwords and listen keys in requests; and people paste secrets where they do not belong.
 */

const secretNames = 'secretKey|secret|password|listenKey';
/** Text up to its end or that of a body which is cut short; a list, of all listen keys for one; anything else. */
const jsonValue = String.raw`"(?:[^"\\]|\\.)*(?:"|\\?$)|\[[^\]]{0,8000}\]?|[^\s,"[{}\]]+`;
const inJson = new RegExp(String.raw`("(?:${secretNames})"\s*:\s*)(?:${jsonValue})`, 'gi');
const inPairs = new RegExp(String.raw`((?:^|[?&])(?:${secretNames})=)[^&\s]*`, 'gi');
/** What stands in the place of a secret. */
const masked = '***';

/** What hides secrets: those with a name, and those that are known. */
export type HideSecrets = (text: string) => string;

/** `known`: secrets that are hidden wherever they stand. DEC-KIT-28. */
export function createHideSecrets(known: () => readonly string[]): HideSecrets {
  return (text) =>
    known().reduce(
      (hidden, secret) => hidden.replaceAll(secret, masked),
      text.replace(inJson, `$1"${masked}"`).replace(inPairs, `$1${masked}`),
    );
}

/** Headers that are shown: none that carries a secret. The key has a header of its own. */
const shownHeaders: ReadonlySet<string> = new Set([
  ...['host', 'user-agent', 'accept', 'accept-encoding', 'connection', 'origin', 'x-forwarded-for'],
  ...['content-type', 'content-length', 'content-encoding', 'transfer-encoding', 'expect'],
]);

/** Whether a header of a request is shown; names are in lower case. */
export const isShownHeader = (name: string): boolean => shownHeaders.has(name);
