import { expect, test } from 'vitest';
import { randomSecret } from '#http/new-api-key.ts';
import { openSecrets } from '#main/secrets/seeded-secrets.ts';

test('DEC-OPR-150: in production and without a seed secrets are random', () => {
  const directory = { secretsMade: '/nowhere/secrets-made.json' };
  expect(openSecrets({ profile: 'production', seed: '7' }, directory)).toBe(randomSecret);
  expect(openSecrets({ profile: 'sandbox', seed: null }, directory)).toBe(randomSecret);
  expect(openSecrets({ profile: 'sandbox', seed: '7' }, directory)).not.toBe(randomSecret);
});
