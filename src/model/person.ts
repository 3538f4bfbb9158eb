/** The person whose token stands in the configuration; no other token is made for a person of that name. DEC-OPR-11. */
export const rootPerson = 'root';
/** Who has a token with it may make tokens, and so approves nothing. DEC-OPR-141. */
export const tokenMakingScope = 'tokens:write';
/** Scopes of those who approve what others ask for. DEC-OPR-141. */
export const approvingScopes = ['deposits:review', 'withdrawals:review', 'proposals:review'] as const;

/**
 * Who an operator's name means: names are one person if this is equal. Compatibility forms, case and blanks around do
 * not count (NFKC, full case folding). DEC-OPR-140.
 */
export function personOf(name: string): string {
  // There and back: upper case takes apart what has several lower forms, as ß and ſ.
  const folded = name.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase();
  return folded.normalize('NFKC').trim();
}

/** Whether scopes let their owner both make tokens and approve. DEC-OPR-141. */
export const mixesMakingAndApproving = (scopes: readonly string[]): boolean =>
  scopes.includes(tokenMakingScope) && approvingScopes.some((scope) => scopes.includes(scope));

/** What names a token in acts and logs: the first characters of its SHA-256. They tell who has the token nothing. */
export const tokenIdOf = (tokenHash: string): string => tokenHash.slice(0, 16);
