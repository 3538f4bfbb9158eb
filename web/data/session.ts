import { computed, signal } from '@preact/signals';
import { type ApiKeys, ask, askSigned, type Method, type Parameters } from '#web/data/rest.ts';
import { exchange } from '#web/shell/exchange-facts.ts';

/** Who is signed in. */
export interface Session extends ApiKeys {
  /** Name of a demo account, or the beginning of the access key. */
  readonly name: string;
}

/** A demo account with its keys. */
export interface DemoAccount extends ApiKeys {
  readonly name: string;
  readonly role: string;
}

/** The reference at `/docs` reads the same item. */
const storeName = 'bourse-api-keys';

function stored(): Session | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(storeName) ?? 'null') as Partial<Session> | null;
    if (typeof kept?.accessKey !== 'string' || typeof kept.secretKey !== 'string') return null;
    return { accessKey: kept.accessKey, secretKey: kept.secretKey, name: kept.name ?? shortKey(kept.accessKey) };
  } catch {
    // What cannot be read is no session.
    return null;
  }
}

const shortKey = (accessKey: string): string => `${accessKey.slice(0, 8)}…`;

/** Whose keys this tab holds; `null`: nobody's. They are in no request and outlive no tab. DEC-WEB-06. */
export const session = signal<Session | null>(stored());

/** Whether somebody is signed in. */
export const isSignedIn = computed(() => session.value !== null);

function keep(next: Session | null): void {
  try {
    if (next === null) sessionStorage.removeItem(storeName);
    else sessionStorage.setItem(storeName, JSON.stringify(next));
  } catch {
    // Storage is refused: the keys live as long as the page.
  }
}

/**
 * Signs in with keys, once the exchange accepts them. `isKept`: through a reload of this tab.
 * @throws ApiError
 */
export async function signIn(keys: ApiKeys, name: string | null, isKept: boolean): Promise<void> {
  await askSigned(keys, 'GET', '/api/v3/uid');
  const next = { ...keys, name: name ?? shortKey(keys.accessKey) };
  keep(isKept ? next : null);
  session.value = next;
}

/** Forgets the keys. */
export function signOut(): void {
  keep(null);
  session.value = null;
}

/**
 * A request signed by whoever is signed in.
 * @throws ApiError
 */
export function askAsUser<Answer>(method: Method, path: string, parameters?: Parameters): Promise<Answer> {
  const keys = session.peek();
  if (keys === null) throw new Error('Nobody is signed in.');
  return askSigned<Answer>(keys, method, path, parameters);
}

/** Demo accounts: of a sandbox that is looked at from its own machine; else none. */
export async function demoAccounts(): Promise<readonly DemoAccount[]> {
  if (!exchange.hasDemoKeys) return [];
  return ask<readonly DemoAccount[]>('GET', '/docs/demo-keys.json', {}).catch(() => []);
}
