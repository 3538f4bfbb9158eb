import { scryptSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { AccountId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { wireLimits } from '#http/limits.ts';
import { PasswordHashes } from '#public-api/broker/password-hashes.ts';

const { passwordsAtOnce, passwordsOfAccount, passwordsWaiting } = wireLimits.broker;
const account = (number: number) => ({ broker: as<AccountId>(1), account: as<AccountId>(number) });
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

  test('beyond its share an account is refused, and with too many in all whoever has most', async () => {
    const hashes = new PasswordHashes();
    const cheap = `$scrypt$ln=4,r=8,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;
    const ask = (number: number) =>
      hashes.matches(password, cheap, account(number)).then(
        () => 'served',
        (error: unknown) => (error as Error).constructor.name,
      );
    // The first ones run at once, and do not wait.
    const own = Array.from({ length: passwordsAtOnce + passwordsOfAccount + 1 }, () => ask(1));
    const room = passwordsWaiting - passwordsOfAccount;
    const others = Array.from({ length: room + 3 }, (_, at) => ask(2 + at));
    const refused = (answers: readonly string[]) => answers.filter((answer) => answer === 'PasswordsBusy').length;
    expect(refused(await Promise.all(own))).toBe(1 + 3);
    expect(refused(await Promise.all(others))).toBe(0);
    expect(refused(await Promise.all(Array.from({ length: passwordsOfAccount }, () => ask(1))))).toBe(0);
  });

  test('whoever waits too long is refused, and the next ones are served', async () => {
    const hashes = new PasswordHashes(1);
    const asked = Array.from({ length: 20 }, () =>
      hashes.hash(password, account(1)).then(
        () => 'served',
        (error: unknown) => (error as Error).constructor.name,
      ),
    );
    const answers = await Promise.all(asked);
    expect(answers.slice(0, passwordsAtOnce)).toEqual(Array(passwordsAtOnce).fill('served'));
    expect(answers).toContain('PasswordsBusy');
    expect(await hashes.hash(password, account(1))).toContain('$scrypt$');
  });

  test('what is thrown at its turn is the answer, and nothing is hashed', async () => {
    const hashes = new PasswordHashes();
    const hash = await hashes.hash(password, account(1));
    const refuse = (): void => {
      throw new RangeError('too late');
    };
    await expect(hashes.matches(password, hash, account(1), refuse)).rejects.toThrow('too late');
    expect(await hashes.matches(password, hash, account(1))).toBe(true);
  });
});
