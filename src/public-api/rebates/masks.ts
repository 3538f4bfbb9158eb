import type { Contact } from '#model/wallet.ts';

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
