/**
 * Public ids of the wallet: 32 lower-case hex characters, made from the kind and the running number that the engine
 * gave. The last 16 are the number under a permutation, so that no two are equal; the first 16 say the kind and guard
 * against ids that were never given. They are names, not secrets. DEC-WAL-04.
 */
export const walletIdKinds = ['withdrawal', 'transfer', 'send', 'conversion', 'universalTransfer'] as const;
export type WalletIdKind = (typeof walletIdKinds)[number];

const mask = (1n << 64n) - 1n;
const idPattern = /^[0-9a-f]{32}$/;
const multiplier = 0x9e3779b97f4a7c15n;
/** `multiplier` times this is 1, modulo 2^64. */
const inverse = 0xf1de83e19937733dn;

const mixed = (value: bigint): bigint => {
  const first = ((value ^ (value >> 31n)) * 0xbf58476d1ce4e5b9n) & mask;
  return first ^ (first >> 29n);
};
const hex = (value: bigint): string => value.toString(16).padStart(16, '0');
const saltOf = (kind: WalletIdKind): bigint => mixed((BigInt(walletIdKinds.indexOf(kind) + 1) * multiplier) & mask);

/** Public id of a withdrawal, transfer, send or conversion; `number` is a safe integer from 1. */
export function walletIdText(kind: WalletIdKind, number: number): string {
  const low = ((BigInt(number) ^ saltOf(kind)) * multiplier) & mask;
  return hex(mixed(low ^ saltOf(kind))) + hex(low);
}

/** The number behind a public id of this kind; `null` for a text that names nothing of it. */
export function walletNumberOf(kind: WalletIdKind, text: string): number | null {
  if (!idPattern.test(text)) return null;
  const low = BigInt(`0x${text.slice(16)}`);
  const number = Number(((low * inverse) & mask) ^ saltOf(kind));
  return Number.isSafeInteger(number) && number > 0 && walletIdText(kind, number) === text ? number : null;
}
