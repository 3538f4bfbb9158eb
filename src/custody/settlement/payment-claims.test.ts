import { describe, expect, it } from 'vitest';
import { InvariantBroken } from '#base/assert.ts';
import type { Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import {
  assertApproved,
  assertNewNonce,
  assertPays,
  assertReplaces,
  assertUnsigned,
} from '#custody/settlement/payment-claims.ts';

const view = { withdrawal: 7, amount: as<Balance>(100n), fee: as<Balance>(3n) };
const scales = { chainScale: 18, ledgerScale: 16 };
const signed = (nonce: number | null) => ({ txId: 'a', raw: 'b', nonce });

describe('claims of payments', () => {
  it('what is paid and its fee are what was approved', () => {
    expect(() => assertApproved(view, 9700n, scales)).not.toThrow();
    expect(() => assertApproved(view, 9800n, scales)).toThrow(InvariantBroken);
    expect(() => assertApproved({ ...view, fee: as<Balance>(-3n) }, 10300n, scales)).toThrow(InvariantBroken);
  });

  it('what is signed is the payment, read as its network writes it', () => {
    const payment = { reference: '7', address: '0xAb', memo: null, contract: null, amount: 5n };
    const content = { address: '0xab', memo: '', contract: null, amount: 5n, feeFault: null };
    const canonical = (address: string): string => address.toLowerCase();
    expect(() => assertPays(payment, content, canonical)).not.toThrow();
    expect(() => assertPays(payment, content, (address) => address)).toThrow('pays its receiver, not 0xab');
    expect(() => assertPays(payment, { ...content, contract: '0xab' }, canonical)).toThrow('pays its coin, not 0xab');
    expect(() => assertPays({ ...payment, contract: '0xab' }, content, canonical)).toThrow('not the native one');
    expect(() => assertPays(payment, { ...content, memo: '1' }, canonical)).toThrow('has the memo of its receiver');
    expect(() => assertPays(payment, { ...content, amount: 4n }, canonical)).toThrow('pays its amount 5, not 4');
    expect(() => assertPays(payment, { fault: 'is odd' }, canonical)).toThrow(InvariantBroken);
  });

  it('a withdrawal is signed once', () => {
    expect(() => assertUnsigned({ withdrawal: 7, transaction: null })).not.toThrow();
    expect(() => assertUnsigned({ withdrawal: 7, transaction: signed(4) })).toThrow('withdrawal 7 has one payment');
  });

  it('a nonce is not repeated, but by what replaces its payment', () => {
    expect(() => assertNewNonce(7, signed(4), 4)).not.toThrow();
    expect(() => assertNewNonce(7, signed(null), 4)).not.toThrow();
    expect(() => assertNewNonce(7, signed(3), 4)).toThrow('withdrawal 7 repeats no nonce');
    expect(() => assertReplaces(7, signed(4), signed(4))).not.toThrow();
    expect(() => assertReplaces(7, signed(5), signed(4))).toThrow(InvariantBroken);
  });
});
