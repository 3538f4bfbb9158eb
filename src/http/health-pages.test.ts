import fastify from 'fastify';
import { expect, test } from 'vitest';
import { registerHealthPages } from '#http/health-pages.ts';

const version = { name: 'bourse', version: '1' };

test('DEC-CLU-18: /readyz says why a node stands aside, and of a start only that', async () => {
  const app = fastify();
  let isReady = false;
  let why: string | null = null;
  registerHealthPages(app, { version, isReady: () => isReady, whyNotReady: () => why }, null);
  const readyz = async () => {
    const { statusCode, body } = await app.inject('/readyz');
    return [statusCode, JSON.parse(body)];
  };
  try {
    expect(await readyz()).toEqual([503, { status: 'starting' }]);
    why = 'nobody leads the cluster';
    expect(await readyz()).toEqual([503, { status: 'standsAside', why }]);
    isReady = true;
    expect(await readyz()).toEqual([200, { status: 'ready' }]);
  } finally {
    await app.close();
  }
});
