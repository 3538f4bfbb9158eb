import type { AccountId } from '#model/units.ts';
import type { AccountTable } from '#engine/state/accounts/account-table.ts';

/** The inviter of an account that nobody invited. */
export const noInviter = 0 as AccountId;

/**
 * Whose commission it is when an account pays one: its own if it is its own master or the sub-account of a broker, who
 * is its inviter then; else its master's. DEC-SUB-29.
 */
export function sourceOf(accounts: AccountTable, payer: AccountId): AccountId {
  const master = accounts.master(payer);
  return accounts.inviter(payer) === master ? payer : master;
}

/**
 * Who gets the shares of a source's commissions, in the order of `rebateShares`: its inviter, the two inviters above
 * (0: nobody), and itself. Nobody's inviter ever changes, so neither do these.
 */
export function writeBeneficiaries(into: AccountId[], accounts: AccountTable, source: AccountId): void {
  const inviter = accounts.inviter(source);
  const above = inviter === noInviter ? noInviter : accounts.inviter(inviter);
  into[0] = inviter;
  into[1] = above;
  into[2] = above === noInviter ? noInviter : accounts.inviter(above);
  into[3] = source;
}
