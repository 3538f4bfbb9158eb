import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { peopleKeys } from '#sandbox/demo-accounts.ts';
import { demoFile } from '#sandbox/sandbox-files.ts';
import { signedCurl, welcomeText } from '#sandbox/welcome.ts';

const demo = demoFile(
  peopleKeys('s'),
  {
    baseUrl: 'http://127.0.0.1:8080',
    futuresBaseUrl: 'http://127.0.0.1:8082',
    wsUrl: 'ws://127.0.0.1:8080/ws',
    operatorUrl: 'http://127.0.0.1:8081',
  },
  'operator-token-never-shown',
);
const welcome = {
  demo,
  demoPath: './data/demo.json',
  dataDirectory: './data',
  symbols: ['BTCUSDT', 'ETHUSDT'],
  simulated: true,
  clock: null,
};

const hasTools = await promisify(execFile)('sh', ['-c', 'command -v curl && command -v openssl']).then(
  () => true,
  () => false,
);

describe('the welcome', () => {
  test('tells addresses, accounts with their keys, the reference, and where the data is', () => {
    const text = welcomeText(welcome);
    for (const part of [
      demo.base_url,
      demo.futures_base_url,
      demo.ws_url,
      demo.operator_url,
      `${demo.base_url}/docs`,
      './data/demo.json',
      'BTCUSDT ETHUSDT',
      ...demo.accounts.flatMap((account) => [account.name, account.apiKey, account.secretKey, account.uid]),
    ])
      expect(text).toContain(part);
    expect(text).not.toContain(demo.operator_token);
    expect(welcomeText({ ...welcome, simulated: false })).toContain('books are empty');
  });

  test('futures are named only where they have an address of their own', () => {
    const shared = welcomeText({ ...welcome, demo: { ...demo, futures_base_url: demo.base_url } });
    expect(shared).not.toContain('Futures');
    expect(welcomeText(welcome)).toContain(`Futures REST  ${demo.futures_base_url}`);
  });

  test('DEC-OPR-26: a clock that is apart from that of the machine is told, and the command asks for its time', () => {
    const shown = { mode: 'running', now: Date.UTC(2026, 0, 1) } as const;
    const text = welcomeText({ ...welcome, clock: shown });
    expect(text).toContain('The clock shows 2026-01-01T00:00:00.000Z and runs on from there');
    expect(text).toContain('GET /api/v3/time');
    expect(text).toContain(`timestamp=$(curl -s ${demo.base_url}/api/v3/time | tr -dc 0-9)`);
    expect(text).not.toContain('date +%s');
    expect(welcomeText({ ...welcome, clock: { ...shown, mode: 'manual' } })).toContain('until POST /v1/clock/advance');
    expect(welcomeText(welcome)).not.toContain('clock');
  });

  test('the command is one line and stands alone on it', () => {
    const lines = welcomeText(welcome)
      .split('\n')
      .filter((line) => line.includes('curl '));
    expect(lines).toEqual([`  ${signedCurl(demo.base_url, demo.accounts[0] as (typeof demo.accounts)[number], null)}`]);
  });

  test.runIf(hasTools)('the command, run by a shell, sends a request whose signature is right', async () => {
    const secretKey = '0123456789abcdef0123456789abcdef';
    const server = createServer((request, response) => {
      const query = (request.url ?? '').split('?')[1] ?? '';
      const signed = /^(timestamp=\d{13})&signature=([0-9a-f]{64})$/.exec(query);
      const right =
        createHmac('sha256', secretKey)
          .update(signed?.[1] ?? '')
          .digest('hex') === signed?.[2];
      response.end(right && request.headers['x-svc-apikey'] === 'mx0abc' ? 'signed' : `wrong: ${request.url}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const command = signedCurl(url, { apiKey: 'mx0abc', secretKey }, null);
      const { stdout } = await promisify(execFile)('sh', ['-c', `export NO_PROXY='*'; ${command}`]);
      expect(stdout).toBe('signed');
    } finally {
      server.close();
    }
  });
});
