import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { LogUnreachable } from '#cluster/command-log.ts';
import { EtcdClient } from '#cluster/etcd/etcd-client.ts';
import { EtcdRefusal } from '#cluster/etcd/etcd-failures.ts';
import { endOf, keysOf, toBase64 } from '#cluster/etcd/etcd-keys.ts';
import { createEtcdLog } from '#cluster/etcd/etcd-log.ts';
import {
  appendBatches,
  emptyHead,
  foundation,
  lead,
  numbers,
  readAll,
  RecordingWatcher,
  statusOf,
} from '../ports/log-story.ts';
import { hasEtcd, startEtcdMembers } from './etcd-members.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const silenceMs = 10_000;

/** A certificate for 127.0.0.1 that is signed by its own key, in files. */
function makeCertificate(folder: string): { readonly cert: string; readonly key: string; readonly ca: string } {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const subject = ['-subj', '/CN=bourse', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const usage = ['-addext', 'extendedKeyUsage=serverAuth,clientAuth'];
  const form = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync('openssl', [...form, ...subject, ...usage, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { cert, key, ca: cert };
}

describe.skipIf(!hasEtcd)('access to etcd', { timeout: 60_000 }, () => {
  test.skipIf(!hasOpenssl)('members are asked by TLS, with a certificate of one’s own', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bourse-tls-'));
    const files = makeCertificate(folder);
    const etcd = await startEtcdMembers({ tls: files, electionMs: 1000 });
    const [cert, key] = [readFileSync(files.cert, 'utf8'), readFileSync(files.key, 'utf8')];
    const access = { exchange: 'tls', endpoints: etcd.endpoints, silenceMs };
    const log = createEtcdLog({ ...access, tls: { ca: cert, cert, key } });
    const watcher = new RecordingWatcher();
    log.watch(watcher);
    await log.found(foundation, emptyHead);
    const term = await lead(log, 'a');
    await appendBatches(log, term.at, { after: 0, count: 20 });
    await watcher.until(() => watcher.lasts().at(-1) === 20);
    expect((await readAll(log)).map(({ last }) => last)).toEqual(numbers(1, 20));
    for (const tls of [{}, { ca: cert }]) {
      const stranger = createEtcdLog({ ...access, tls });
      await expect(stranger.head()).rejects.toBeInstanceOf(LogUnreachable);
      await stranger.close();
    }
    await log.close();
    await etcd.stop();
    rmSync(folder, { recursive: true });
  });

  test('a user that may only touch the keys of the exchange is enough, and gets new tokens', async () => {
    const etcd = await startEtcdMembers({ count: 1, electionMs: 1000 });
    const { endpoints } = etcd;
    const admin = new EtcdClient({ endpoints, silenceMs });
    const { prefix } = keysOf('access');
    const permission = { permType: 'READWRITE', key: toBase64(prefix), range_end: toBase64(endOf(prefix)) };
    const calls: readonly (readonly [string, object])[] = [
      ['auth/user/add', { name: 'root', password: 'secret' }],
      ['auth/role/add', { name: 'root' }],
      ['auth/user/grant', { user: 'root', role: 'root' }],
      ['auth/user/add', { name: 'bourse', password: 'pass' }],
      ['auth/role/add', { name: 'bourse' }],
      ['auth/role/grant', { name: 'bourse', perm: permission }],
      ['auth/user/grant', { user: 'bourse', role: 'bourse' }],
      ['auth/enable', {}],
    ];
    for (const [path, body] of calls) await admin.ask(path, body);
    const access = { exchange: 'access', endpoints, silenceMs };
    const user = { name: 'bourse', password: 'pass' };
    const log = createEtcdLog({ ...access, user });
    await log.found(foundation, emptyHead);
    const watcher = new RecordingWatcher();
    log.watch(watcher);
    await watcher.until(() => watcher.leaders.length === 1);
    const term = await lead(log, 'a');
    let at = await appendBatches(log, term.at, { after: 0, count: 5 });
    await log.report(statusOf('a'), 60);
    expect(await log.nodes()).toEqual([statusOf('a')]);
    await log.trim(as<Seq>(2));
    await log.trim(as<Seq>(3));
    expect((await log.size()).bytes).toBeGreaterThan(0);
    // Tokens are in the member's memory: after its restart the old one is unknown.
    await etcd.members[0]!.kill();
    etcd.members[0]!.start();
    at = await appendBatches(log, at, { after: 5, count: 5 });
    await watcher.until(() => watcher.lasts().at(-1) === 10);
    expect(await term.keepAlive()).toBe(true);
    for (const wrong of [undefined, { name: 'bourse', password: 'other' }, { name: 'nobody', password: 'pass' }]) {
      const stranger = createEtcdLog({ ...access, ...(wrong === undefined ? {} : { user: wrong }) });
      await expect(stranger.head()).rejects.toBeInstanceOf(EtcdRefusal);
      await stranger.close();
    }
    const outside = createEtcdLog({ ...access, exchange: 'other', user });
    await expect(outside.head()).rejects.toThrow('permission denied');
    await outside.close();
    await log.close();
    admin.close();
    await etcd.stop();
  });
});
