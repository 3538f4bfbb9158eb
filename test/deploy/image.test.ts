import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startServer } from '../crash/server-process.ts';
import { projectFolder, textOf } from './deploy-files.ts';

/** An instruction of the Dockerfile with its words. */
interface Instruction {
  readonly name: string;
  readonly rest: string;
}

const instructions = textOf('deploy/docker/Dockerfile')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line): Instruction => {
    const [name = '', ...rest] = line.split(' ');
    return { name, rest: rest.join(' ') };
  });
const secondStage = instructions.findLastIndex(({ name }) => name === 'FROM');
const [build, final] = [instructions.slice(0, secondStage), instructions.slice(secondStage)];
const only = (name: string): string => {
  const found = final.filter((each) => each.name === name);
  expect([name, found.length]).toEqual([name, 1]);
  return found[0]!.rest;
};
const manifest = JSON.parse(textOf('package.json')) as {
  readonly bin: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
};
/** What is copied into the image from the project. */
const copied = instructions
  .filter(({ name, rest }) => name === 'COPY' && !rest.startsWith('--from'))
  .flatMap(({ rest }) => rest.split(' ').slice(0, -1));
/** Paths that .dockerignore lets through. */
const allowed = textOf('.dockerignore')
  .split('\n')
  .filter((line) => line.startsWith('!'))
  .map((line) => line.slice(1));

describe('the image', () => {
  test('is built from files that are there and that .dockerignore lets through, and from nothing else', () => {
    for (const path of copied) expect([path, existsSync(new URL(path, projectFolder))]).toEqual([path, true]);
    expect(textOf('.dockerignore').split('\n')).toContain('*');
    expect([...copied].sort()).toEqual([...allowed].sort());
  });

  test('takes every tool that the build imports, and is built by a script of the project', () => {
    for (const path of copied.filter((each) => each.startsWith('tools/')))
      for (const [, imported] of textOf(path).matchAll(/from '\.\/([^']+)'/g))
        expect(copied).toContain(`tools/${imported}`);
    const runs = build.filter(({ name }) => name === 'RUN').map(({ rest }) => rest);
    expect(runs).toEqual(['npm ci', 'npm run build', 'npm prune --omit=dev']);
    expect(manifest.scripts['build']).toBe('node tools/build.mjs');
    // Nothing that lies in the image decides what the build makes.
    expect(build[0]!.rest).toMatch(/^node:\d+-\S+ AS build$/);
  });

  test('runs the command of the package as another user than root, from what the build left', () => {
    const entry = JSON.parse(only('ENTRYPOINT')) as readonly string[];
    expect(entry).toEqual(['node', '--max-semi-space-size=64', manifest.bin['bourse']]);
    expect(JSON.parse(only('CMD'))).toEqual(['start']);
    expect(only('USER')).toBe('node');
    const order = final.map(({ name }) => name);
    expect(order.indexOf('USER')).toBeGreaterThan(order.lastIndexOf('RUN'));
    const taken = final.filter(({ rest }) => rest.startsWith('--from=build')).map(({ rest }) => rest.split(' ')[1]);
    expect(taken).toEqual(['/build/package.json', '/build/node_modules', '/build/dist']);
    expect(only('STOPSIGNAL')).toBe('SIGTERM');
    expect(final.filter(({ name }) => name === 'ENV').map(({ rest }) => rest)).toContain(
      `BOURSE_DATA=${only('VOLUME')}`,
    );
  });

  test('has a start command that the service has too', () => {
    expect(textOf('deploy/systemd/bourse.service')).toContain(
      '/usr/bin/node --max-semi-space-size=64 dist/main/bourse.js start',
    );
    expect(textOf('package.json')).toContain('--max-semi-space-size=64');
  });
});

const ready = new URL('deploy/docker/ready.mjs', projectFolder).pathname;
/** What the health check says, and how it ends. */
const check = (variables: Readonly<Record<string, string>>): Promise<{ code: number | null; text: string }> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [ready], { env: { ...process.env, ...variables } });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
    child.on('close', (code) => resolve({ code, text: text.trim() }));
  });

describe('its health check', () => {
  test('passes while the exchange takes commands, and fails when it is gone', async () => {
    const data = mkdtempSync(join(tmpdir(), 'deploy-ready-'));
    const server = await startServer(data);
    const { hostname, port } = new URL(server.demo.operator_url);
    const variables = { BOURSE_OPERATOR_HOST: hostname, BOURSE_OPERATOR_PORT: port };
    expect(await check(variables)).toEqual({ code: 0, text: '{"status":"ready"}' });
    server.process.kill('SIGTERM');
    await server.ended;
    const gone = await check(variables);
    expect(gone.code).toBe(1);
    expect(gone.text).toContain('not ready: ');
    rmSync(data, { recursive: true });
  });

  test('fails while the exchange is starting', async () => {
    const starting = createServer((_, response) => response.writeHead(503).end('{"status":"starting"}'));
    await new Promise<void>((resolve) => {
      starting.listen(0, '127.0.0.1', resolve);
    });
    const port = String((starting.address() as AddressInfo).port);
    expect(await check({ BOURSE_OPERATOR_PORT: port })).toEqual({
      code: 1,
      text: 'not ready: 503: {"status":"starting"}',
    });
    starting.close();
  });
});
