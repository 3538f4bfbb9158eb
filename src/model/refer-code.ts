import type { AccountId } from '#model/units.ts';
import { as } from '#model/units.ts';

// A permutation of the numbers below 36^5, so that codes do not tell who came first: an affine map, whose multiplier
// has no factor in common with 36^5. They are names, not secrets. DEC-SUB-23.

const digits = '0123456789abcdefghijklmnopqrstuvwxyz';
const codes = 36 ** 5;
const multiplier = 48_271_357;
const addend = 24_536_389;
const inverse = inverseOf(multiplier, codes);

/** The code under which an account can always invite: 5 characters of `[0-9a-z]`. */
export const referCodeOf = (account: AccountId): string =>
  Number((BigInt(account) * BigInt(multiplier) + BigInt(addend)) % BigInt(codes))
    .toString(36)
    .padStart(5, '0');

/** The number of the account with this refer code; `null` for a text that is none. It may not be given yet. */
export function accountOfReferCode(code: string): AccountId | null {
  if (!/^[0-9a-z]{5}$/.test(code)) return null;
  const value = [...code].reduce((sum, digit) => sum * 36 + digits.indexOf(digit), 0);
  const shifted = BigInt(value - addend + codes) % BigInt(codes);
  return as<AccountId>(Number((shifted * inverse) % BigInt(codes)));
}

const inviteCode = /^(?=.*-)[A-Za-z0-9-]{3,20}$/;
/** Whether a text can be an invite code that is no refer code. */
export const isInviteCode = (text: string): boolean => inviteCode.test(text);

/** The number that gives 1 with `value`, modulo `modulus`. */
function inverseOf(value: number, modulus: number): bigint {
  let [rest, next] = [BigInt(modulus), BigInt(value)];
  let [before, factor] = [0n, 1n];
  while (next !== 0n) {
    const quotient = rest / next;
    [rest, next] = [next, rest - quotient * next];
    [before, factor] = [factor, before - quotient * factor];
  }
  return ((before % BigInt(modulus)) + BigInt(modulus)) % BigInt(modulus);
}
