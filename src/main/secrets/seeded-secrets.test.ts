import { expect, test } from 'vitest';
import { randomSecret } from '#http/new-api-key.ts';
import { openSecrets } from '#main/secrets/seeded-secrets.ts';

test('DEC-OPR-150, DEC-CLU-23: in production, without a seed and in a cluster secrets are random', () => {
  const directory = { secretsMade: '/nowhere/secrets-made.json' };
  const alone = { cluster: null };
  expect(openSecrets({ ...alone, profile: 'production', seed: '7' }, directory)).toBe(randomSecret);
  expect(openSecrets({ ...alone, profile: 'sandbox', seed: null }, directory)).toBe(randomSecret);
  expect(openSecrets({ cluster: 'one.json', profile: 'sandbox', seed: '7' }, directory)).toBe(randomSecret);
  expect(openSecrets({ ...alone, profile: 'sandbox', seed: '7' }, directory)).not.toBe(randomSecret);
});
