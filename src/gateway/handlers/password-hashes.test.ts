import { scryptSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { AccountId } from '#domain/units.ts';
import { as } from '#domain/units.ts';
import { wireLimits } from '#api/limits.ts';
import { PasswordHashes } from '#gateway/handlers/password-hashes.ts';

const { passwordsAtOnce, passwordsOfAccount, passwordsWaiting } = wireLimits.broker;
const account = (number: number): AccountId => as<AccountId>(number);
const password = '5f4dcc3b5aa765d61d8327deb882cf99';

describe('DEC-SUB-56: hashes of passwords', () => {
  test('a hash tells how it was made, has a salt of its own, and is matched by its password only', async () => {
    const hashes = new PasswordHashes();
    const first = await hashes.hash(password, account(1));
    const second = await hashes.hash(password, account(1));
    expect(first).toMatch(/^\$scrypt\$ln=14,r=8,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(second).not.toBe(first);
    expect(await hashes.matches(password, first, account(1))).toBe(true);
    expect(await hashes.matches(password.replace('5', '6'), first, account(1))).toBe(false);
  });

  test('a hash of other costs is checked by the costs that it tells', async () => {
    const cheap = '$scrypt$ln=4,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$';

    const derived = scryptSync(password, Buffer.alloc(16), 32, { N: 16, r: 8, p: 1 });
    const hash = cheap + derived.toString('base64').replace('=', '');
    expect(await new PasswordHashes().matches(password, hash, account(1))).toBe(true);
  });

  test('what is no hash is told', () => {
    expect(() => new PasswordHashes().matches(password, password, account(1))).toThrow(TypeError);
  });

  test('too many of one account, or of all, are refused with 503; the others are served', async () => {
    const hashes = new PasswordHashes();
    const cheap = `$scrypt$ln=4,r=8,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;
    const ask = (number: number) =>
      hashes.matches(password, cheap, account(number)).then(
        () => 'served',
        (error: unknown) => (error as { errorName: string }).errorName,
      );
    const own = Array.from({ length: passwordsOfAccount + 1 }, () => ask(1));
    const others = Array.from({ length: passwordsAtOnce + passwordsWaiting - passwordsOfAccount + 1 }, (_, at) =>
      ask(2 + at),
    );
    const served = Array<string>(passwordsOfAccount).fill('served');
    expect(await Promise.all(own)).toEqual([...served, 'serviceUnavailable']);
    expect(await Promise.all(others)).toEqual([
      ...Array<string>(passwordsAtOnce + passwordsWaiting - passwordsOfAccount).fill('served'),
      'serviceUnavailable',
    ]);
    expect(await Promise.all(Array.from({ length: passwordsOfAccount }, () => ask(1)))).toEqual(served);
  });
});
