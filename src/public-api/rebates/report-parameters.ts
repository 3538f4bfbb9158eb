import { formatDecimal } from '#base/decimal.ts';
import type { AccountView } from '#model/account.ts';
import { rebateDayMs, rebateDayOf } from '#model/rebate.ts';
import { type AccountId, type TimestampMs, as } from '#model/units.ts';
import type { Contact } from '#model/wallet.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import { awaitHistory, windowOf } from '#public-api/history/history-reads.ts';
import type { Window } from '#history/history-store.ts';
import type { SymbolDirectory } from '#market-data/symbol-directory.ts';

/** A time that is asked for; `defaultMs`: length of a window without a start. */
export interface AskedTimes {
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
  readonly defaultMs: number;
}

/**
 * The window of a report, once history has what came before the request. One that ends now or later ends with its last
 * day: nothing happened after now, and of a whole day the sums are at hand.
 */
export async function reportWindow(context: GatewayContext, asked: AskedTimes): Promise<Window> {
  const now = await awaitHistory(context);
  const { from, to } = windowOf({ ...asked, reachMs: Number.POSITIVE_INFINITY }, now);
  const today = rebateDayOf(as<TimestampMs>(now));
  return { from, to: to < now ? to : as<TimestampMs>(today + rebateDayMs - 1) };
}

/** Prints values of reports: amounts of what the wallet is valued in. Before there is such an asset, all are 0. */
export async function valueTexts(
  { queries }: GatewayContext,
  directory: SymbolDirectory,
): Promise<(value: bigint) => string> {
  const rules = await queries.wallet.rules();
  const scale = rules === null ? 0 : directory.asset(rules.valuedIn).scale;
  return (value) => formatDecimal(value, scale);
}

/** Somebody in a report. */
export interface Person {
  readonly view: AccountView;
  readonly contact: Contact | null;
}

/** Who accounts are, by id; accounts that do not exist are left out. */
export async function personsOf(
  { queries }: GatewayContext,
  accounts: Iterable<AccountId>,
): Promise<ReadonlyMap<AccountId, Person>> {
  const persons = new Map<AccountId, Person>();
  for (const account of new Set(accounts)) {
    const [view, contact] = await Promise.all([queries.account(account), queries.wallet.contact(account)]);
    if (view !== null) persons.set(account, { view, contact });
  }
  return persons;
}

/** Somebody's uid and masked account, as reports name people. */
export const namedAs = (person: Person | undefined) =>
  person === undefined
    ? { uid: '', account: '' }
    : { uid: String(person.view.uid), account: maskedAccount(person.contact, person.view.uid) };
/** Decimals of a rate in parts per million. */
export const rateScale = 6;

/** How much of a text a mask shows at its ends, and what stands between. */
interface Mask {
  readonly first: number;
  readonly last: number;
  readonly middle: string;
}
const accountMask: Mask = { first: 3, last: 3, middle: '****' };
const mailMask: Mask = { first: 2, last: 1, middle: '*****' };

/** Of a short text both ends are shorter, so that one character at least stays hidden. DEC-SUB-69. */
function masked(text: string, { first, last, middle }: Mask): string {
  const hideable = Math.max(0, text.length - 1);
  const shownLast = Math.min(last, Math.floor(hideable / 2));
  const shownFirst = Math.min(first, hideable - shownLast);
  return text.slice(0, shownFirst) + middle + text.slice(text.length - shownLast);
}

/** The mail up to its `@`, else the uid, under a mask. */
function maskedContact(contact: Contact | null, uid: number, mask: Mask): string {
  const mail = contact?.email ?? null;
  if (mail === null) return masked(String(uid), mask);
  const at = mail.indexOf('@');
  return masked(mail.slice(0, at), mask) + mail.slice(at);
}

/** Whose account it is, for others: `154****291@example.com`, without a mail `900****123`. DEC-SUB-24. */
export const maskedAccount = (contact: Contact | null, uid: number): string => maskedContact(contact, uid, accountMask);

/** The mail in reports of affiliates: `ad*****6@example.com`, without one `90*****3`. DEC-SUB-24. */
export const maskedMail = (contact: Contact | null, uid: number): string => maskedContact(contact, uid, mailMask);
