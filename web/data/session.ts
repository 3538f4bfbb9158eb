import { computed, effect, signal } from '@preact/signals';
import type { BourseClient } from '#client/client.ts';
import { type ApiKeys, clientOf } from '#web/data/clients.ts';
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

/** The client of whoever is signed in, which signs in this page; `null`: nobody is. DEC-WEB-06. */
export const userClient = computed<BourseClient | null>(() =>
  session.value === null ? null : clientOf(session.value),
);

// Whoever signs out takes along what is under way.
effect(() => {
  const client = userClient.value;
  return () => void client?.close();
});

function keep(next: Session | null): void {
  try {
    if (next === null) sessionStorage.removeItem(storeName);
    else sessionStorage.setItem(storeName, JSON.stringify(next));
  } catch {
    // Storage is refused: the keys live as long as the page.
  }
}

/** Whether the keys are there after a reload of this tab. */
export function isSessionKept(): boolean {
  try {
    return sessionStorage.getItem(storeName) !== null;
  } catch {
    // Storage is refused.
    return false;
  }
}

/**
 * Signs in with keys, once the exchange accepts them. `isKept`: through a reload of this tab.
 * @throws BourseError
 */
export async function signIn(keys: ApiKeys, name: string | null, isKept: boolean): Promise<void> {
  const client = clientOf(keys);
  await client.uid().finally(() => client.close());
  const next = { ...keys, name: name ?? shortKey(keys.accessKey) };
  keep(isKept ? next : null);
  session.value = next;
}

/** Forgets the keys. */
export function signOut(): void {
  keep(null);
  session.value = null;
}

/** The client of whoever is signed in. @throws Error where nobody is */
export function signedClient(): BourseClient {
  const client = userClient.peek();
  if (client === null) throw new Error('Nobody is signed in.');
  return client;
}

/** Demo accounts: of a sandbox that is looked at from its own machine; else none. */
export async function demoAccounts(): Promise<readonly DemoAccount[]> {
  if (!exchange.hasDemoKeys) return [];
  try {
    const answer = await fetch('/docs/demo-keys.json');
    return answer.ok ? ((await answer.json()) as readonly DemoAccount[]) : [];
  } catch {
    // Without an answer there is the form for keys.
    return [];
  }
}
