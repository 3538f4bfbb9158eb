import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { jsonSchemaOf, sampleOf } from '#http/documents/json-schema.ts';
import { checkNode } from '#main/doctor/machine-checks.ts';
import { catalogue } from '#operator-api/catalogue.ts';
import { bourseInProcess } from '../bourse-in-process.ts';
import { rootToken, startTestOperator, type TestOperator } from '../operator/operator-harness.ts';

let folder = '';
const closing: (() => void)[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bourse-doctor-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  for (const close of closing.splice(0)) close();
});
const at = (name: string): string => join(folder, name);
const write = (name: string, content: string, mode = 0o600): string => {
  writeFileSync(at(name), content);
  chmodSync(at(name), mode);
  return at(name);
};

interface Found {
  readonly state: string;
  readonly found: string;
  readonly toDo: string | null;
}
/** What `bourse doctor` finds, by check; several of one check are one text. */
async function doctor(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const { exit, out } = await bourseInProcess([...args, '--json'], { environment: { HOME: folder, ...environment } });
  const { findings } = JSON.parse(out) as { findings: readonly (Found & { readonly check: string })[] };
  const found = (check: string): Found & { readonly all: string } => {
    const own = findings.filter((each) => each.check === check);
    return { ...own[0]!, all: own.map((each) => `${each.state}: ${each.found} → ${each.toDo}`).join('\n') };
  };
  return { exit, found, faults: findings.filter(({ state }) => state === 'fault').map(({ check }) => check) };
}
const freePorts = ['--port', '0', '--operator-port', '0'];

/** A server that answers so on a free port of this machine, which is its answer. */
async function listening(
  answer: (url: string, body: string) => unknown,
  statusOf: (url: string) => number = () => 200,
): Promise<number> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    let body = '';
    request
      .on('data', (chunk) => (body += chunk))
      .on('end', () => {
        response.statusCode = statusOf(request.url!);
        response.end(JSON.stringify(answer(request.url!, body)));
      });
  });
  closing.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

describe('DEC-OPR-269: bourse doctor', () => {
  test('finds nothing wrong with a new sandbox, tells each check in a line, and leaves nothing behind', async () => {
    const before = readdirSync(folder);
    const { exit, out } = await bourseInProcess(['doctor', at('data'), ...freePorts], {
      environment: { HOME: folder },
    });
    expect(exit).toBe(0);
    for (const line of [
      /^ok +Node +\d+\.\d+\.\d+$/m,
      /^ok +configuration +usable, of the profile sandbox$/m,
      /^ok +data directory +.*data is not there yet: the first start makes it$/m,
      /^(ok|warning) +synced writes +50 of 4096 bytes: median \d+\.\d\d ms, 99 % within \d+\.\d\d ms$/m,
      /^ok +master key +.* is not there yet/m,
      /^ok +public port +any free one$/m,
      /^ok +custody +simulated chains$/m,
      /^ok +exchange +not asked/m,
    ])
      expect(out).toMatch(line);
    expect(readdirSync(folder)).toEqual(before);
  });

  test('names settings that cannot be used, each with what to do', async () => {
    const { exit, found } = await doctor(['doctor', '--profile', 'production'], { BOURSE_PROT: '1' });
    expect(exit).toBe(1);
    expect(found('configuration').all).toMatch(
      /^fault: master-key-file: production needs .* → give --master-key-file FILE/m,
    );
    expect(found('configuration').all).toMatch(/^fault: operator-token: .* → give --operator-token-file FILE/m);
    const warned = await doctor(['doctor', ...freePorts], { BOURSE_PROT: '1', BOURSE_DATA: at('data') });
    expect([warned.exit, warned.found('configuration').state]).toEqual([0, 'warning']);
  });

  test('looks at permissions of the directory, of the key and of the token', async () => {
    write('master.key', `${'ab'.repeat(32)}\n`, 0o644);
    write('token', 'short', 0o600);
    chmodSync(folder, 0o755);
    const args = ['doctor', folder, '--profile', 'production', '--master-key-file', at('master.key'), ...freePorts];
    const { exit, found, faults } = await doctor([...args, '--operator-token-file', at('token')]);
    expect([exit, faults]).toEqual([1, ['master key', 'operator token']]);
    expect(found('data directory')).toMatchObject({ state: 'warning', toDo: `run: chmod 700 ${folder}` });
    expect(found('master key').toDo).toBe(`run: chmod 600 ${at('master.key')}`);
    expect(found('operator token').found).not.toContain('short');
    chmodSync(at('master.key'), 0o600);
    write('token', 'a-token-of-the-tests');
    chmodSync(folder, 0o700);
    const mended = await doctor([...args, '--operator-token-file', at('token')]);
    expect([mended.exit, mended.found('master key').state]).toEqual([0, 'ok']);
    rmSync(at('token'));
  });

  test('names who holds a port, and knows an exchange that listens there', async () => {
    const other = await listening(() => 'hello');
    const own = await listening(() => ({ name: 'bourse', version: '9.9.9' }));
    const { exit, found } = await doctor(['doctor', at('data'), '--port', `${other}`, '--operator-port', `${own}`]);
    expect(exit).toBe(1);
    expect(found('public port').found).toMatch(new RegExp(`^port ${other} of 127.0.0.1 is in use by another process`));
    if (process.platform === 'linux') expect(found('public port').found).toContain(`, ${process.pid} (`);
    expect(found('public port').toDo).toMatch(/^stop that one, or choose another port with --port/);
    expect(found('operator port')).toMatchObject({ state: 'ok', found: `bourse 9.9.9 listens on ${own} of 127.0.0.1` });
  });
});

test.each([
  ['18.20.0', 'fault'],
  ['20.18.9', 'fault'],
  ['20.19.0', 'ok'],
  ['21.7.0', 'warning'],
  ['22.1.0', 'ok'],
  ['24.0.1', 'ok'],
  ['25.0.0', 'warning'],
])('DEC-OPR-269: Node %s is %s', (version, state) => {
  expect(checkNode(version).state).toBe(state);
});

describe('DEC-OPR-269: nodes of chains', () => {
  const now = () => Math.floor(Date.now() / 1000);
  interface NodeState {
    readonly chainId?: number;
    readonly syncing?: unknown;
    readonly at?: number;
  }
  /** Findings about a node that is so. */
  async function withNode({ chainId = 1, syncing = false, at: seconds = now() }: NodeState, change: object = {}) {
    const hash = `0x${'1'.repeat(64)}`;
    const block = {
      number: '0x64',
      hash,
      parentHash: hash,
      timestamp: `0x${seconds.toString(16)}`,
      baseFeePerGas: '0x7',
    };
    const results: Readonly<Record<string, unknown>> = {
      eth_chainId: `0x${chainId.toString(16)}`,
      eth_syncing: syncing,
      eth_getBlockByNumber: { ...block, transactions: [] },
      web3_clientVersion: 'Geth/v1.14.0\u001b[2J',
    };
    const port = await listening((_url, body) => {
      const asked = JSON.parse(body) as { id: number; method: string } | { id: number; method: string }[];
      const answers = [asked].flat().map(({ id, method }) => ({ jsonrpc: '2.0', id, result: results[method] }));
      return Array.isArray(asked) ? answers : answers[0];
    });
    const xpub =
      'xpub6CUGRUonZSQ4TWtTMmzXdrXDtypWKiKrhko4egpiMZbpiaQL2jkwSB1icqYh2cfDfVxdx4df189oLKnC5fSwqPfgyP3hooxujYzAu3fDVmz';
    const network = {
      ...{ kind: 'evm', network: 'ETH', rpcUrl: `http://127.0.0.1:${port}`, chainId: 1, keys: { kind: 'watch', xpub } },
      nativeCoin: { perHourMax: null, sweepFrom: null },
      ...change,
    };
    const file = write('custody.json', JSON.stringify({ networks: [network] }));
    const { found } = await doctor(['doctor', at('data'), '--custody-file', file, ...freePorts]);
    return found;
  }

  test('are told with chain, height and program', async () => {
    const found = await withNode({});
    expect(found('node ETH')).toMatchObject({ state: 'ok', found: 'chain 1, block 100, Geth/v1.14.0?[2J' });
  });

  test('that are of another chain, catching up, still or silent are found', async () => {
    expect((await withNode({ chainId: 5 }))('node ETH')).toMatchObject({
      state: 'fault',
      found: expect.stringContaining('the node is on chain 5, not on 1'),
    });
    const syncing = { currentBlock: '0x1', highestBlock: '0x9', startingBlock: '0x0' };
    expect((await withNode({ syncing }))('node ETH').found).toContain('still catching up');
    const still = (await withNode({ at: now() - 3600 }))('node ETH');
    expect(still).toMatchObject({ state: 'warning', found: expect.stringContaining('the newest block is of 20') });
    const silent = (await withNode({}, { rpcUrl: 'http://127.0.0.1:1/secret-key' }))('node ETH');
    expect(silent.state).toBe('fault');
    expect(silent.found).not.toContain('secret-key');
  });

  test('a custody file or a seed that cannot be used is found', async () => {
    const seeds = { keys: { kind: 'hot', seedFile: at('nowhere.seed') } };
    write('master.key', `${'ab'.repeat(32)}\n`);
    const file = write('custody.json', JSON.stringify({ networks: [{ kind: 'evm', network: 'DOGE' }] }));
    const { exit, found } = await doctor(['doctor', at('data'), '--custody-file', file, ...freePorts]);
    expect([exit, found('custody').found]).toEqual([1, expect.stringContaining('must be an EVM chain')]);
    const data = ['--data', folder, '--custody-file', at('custody.json'), ...freePorts];
    await withNode({}, seeds);
    expect((await doctor(['doctor', ...data])).found('seed ETH').found).toContain('nowhere.seed cannot be used');
  });
});

describe('DEC-OPR-269: bourse op doctor', () => {
  let operator: TestOperator;
  beforeAll(async () => {
    operator = await startTestOperator({ hasChains: true });
  });
  afterAll(() => operator.close());
  const ask = (token: string) =>
    doctor(['op', 'doctor'], { BOURSE_OPERATOR_URL: operator.url, BOURSE_OPERATOR_TOKEN: token });

  test('tells version, clock, the token and that nothing waits', async () => {
    const { exit, found } = await ask(rootToken);
    expect([exit, found('exchange').state]).toEqual([0, 'warning']);
    expect(found('exchange').found).toBe(`bourse test at ${operator.url}, and this is 1.2.3`);
    expect(found('ready').state).toBe('ok');
    expect(found('its clock').state).toBe('ok');
    expect(found('token').found).toMatch(/^acts as root, with assets:read, /);
    expect(found('safety').state).toBe('ok');
  });

  test('an unknown token, one that ends soon, and an exchange that is not there are found', async () => {
    expect((await ask('an-unknown-token-of-tests')).faults).toEqual(['token']);
    const { body } = await operator.ask('POST', '/v1/tokens', { actor: 'olga', scopes: ['pairs:read'], validHours: 1 });
    const { found } = await ask(body.token);
    expect(found('token')).toMatchObject({
      state: 'warning',
      found: 'acts as olga, with pairs:read; ends within a week',
    });
    expect(found('safety').found).toBe('not asked: that needs withdrawals:read');
    const gone = { BOURSE_OPERATOR_URL: 'http://127.0.0.1:1', BOURSE_OPERATOR_TOKEN: rootToken };
    expect(await doctor(['op', 'doctor'], gone)).toMatchObject({ exit: 1, faults: ['exchange'] });
    expect((await doctor(['doctor', at('data'), ...freePorts], gone)).faults).toEqual(['exchange']);
  });

  test('what is held, unknown or lost is a fault, and an open proposal a warning', async () => {
    const sample = sampleOf(jsonSchemaOf(catalogue.getSafety.answer)) as Readonly<Record<string, readonly object[]>>;
    const safety = {
      ...sample,
      openProposals: [3],
      networks: [{ ...sample['networks']![0], network: 'ETH', isHeld: true, reason: 'a payment is not known' }],
      unknownPayments: [{ ...sample['unknownPayments']![0], network: 'ETH', payment: '7', toDo: 'Book it.' }],
      lostPayments: [{ ...sample['lostPayments']![0], withdrawal: 9, toDo: 'Book it.' }],
    };
    const port = await listening((url) => {
      if (url === '/version') return { name: 'bourse', version: '1.2.3' };
      if (url === '/v1/token') return { actor: 'olga', scopes: ['withdrawals:read'], expiresAt: null };
      return url === '/v1/safety' ? safety : {};
    });
    const { exit, found } = await doctor(['op', 'doctor', '--url', `http://127.0.0.1:${port}`], {
      BOURSE_OPERATOR_TOKEN: rootToken,
    });
    expect(exit).toBe(1);
    expect(found('safety').all).toBe(
      [
        'fault: withdrawals of ETH are held: a payment is not known → bourse op safety',
        'fault: payment 7 of ETH is not known → Book it.',
        'fault: withdrawal 9 is lost → Book it.',
      ].join('\n'),
    );
    expect(found('proposals').found).toBe('proposal 3 waits for a second operator');
  });

  test('DEC-CLU-18: why a node of a cluster stands aside is a warning', async () => {
    const port = await listening(
      (url) => {
        if (url === '/version') return { name: 'bourse', version: '1.2.3' };
        if (url === '/v1/token') return { actor: 'olga', scopes: ['pairs:read'], expiresAt: null };
        return { status: 'standsAside', why: 'nobody leads the cluster' };
      },
      (url) => (url === '/readyz' ? 503 : 200),
    );
    const { found } = await doctor(['op', 'doctor', '--url', `http://127.0.0.1:${port}`], {
      BOURSE_OPERATOR_TOKEN: rootToken,
    });
    expect(found('ready').all).toBe(
      'warning: it does not take commands: nobody leads the cluster → bourse cluster status',
    );
  });
});
