import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { LogUnreachable } from '#cluster/command-log.ts';
import { EtcdRefusal } from '#cluster/etcd/etcd-failures.ts';
import { createEtcdLog } from '#cluster/etcd/etcd-log.ts';
import { settingsOf } from '../deploy/deploy-files.ts';
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
import { etcdctl, hasEtcd, type MemberTls, startEtcdMembers } from './etcd-members.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const silenceMs = 10_000;

const deploy = new URL('../../deploy/etcd/', import.meta.url).pathname;

/** What `deploy/etcd/certificates.sh` makes for members on this machine, and for nodes. */
function makeCertificates(folder: string): MemberTls {
  execFileSync('sh', [join(deploy, 'certificates.sh'), folder, 'one=127.0.0.1'], { stdio: 'ignore' });
  const of = (name: string) => ({ cert: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) });
  return { ca: join(folder, 'ca.pem'), member: of('one'), client: of('node') };
}

describe.skipIf(!hasEtcd)('access to etcd', { timeout: 60_000 }, () => {
  test.skipIf(!hasOpenssl)('members are asked by TLS, with a certificate of one’s own', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bourse-tls-'));
    const files = makeCertificates(folder);
    const etcd = await startEtcdMembers({ tls: files, settings: settingsOf('deploy/etcd/common.env') });
    const [ca, cert, key] = [files.ca, files.client.cert, files.client.key].map((path) => readFileSync(path, 'utf8'));
    const access = { exchange: 'tls', endpoints: etcd.endpoints, silenceMs };
    const log = createEtcdLog({ ...access, tls: { ca: ca!, cert: cert!, key: key! } });
    const watcher = new RecordingWatcher();
    log.watch(watcher);
    await log.found(foundation, emptyHead);
    const term = await lead(log, 'a');
    await appendBatches(log, term.at, { after: 0, count: 20 });
    await watcher.until(() => watcher.lasts().at(-1) === 20);
    expect((await readAll(log)).map(({ last }) => last)).toEqual(numbers(1, 20));
    for (const tls of [{}, { ca: ca! }]) {
      const stranger = createEtcdLog({ ...access, tls });
      await expect(stranger.head()).rejects.toBeInstanceOf(LogUnreachable);
      await stranger.close();
    }
    await log.close();
    await etcd.stop();
    rmSync(folder, { recursive: true });
  });

  test.skipIf(etcdctl === null || !hasOpenssl)(
    'DEC-CLU-26: a user that may only touch the keys of the exchange is enough, and gets new tokens',
    async () => {
      const etcd = await startEtcdMembers({ count: 1, electionMs: 1000 });
      const { endpoints } = etcd;
      const folder = mkdtempSync(join(tmpdir(), 'bourse-access-'));
      const env = {
        ...process.env,
        PATH: `${dirname(etcdctl!)}:${process.env['PATH']}`,
        ETCDCTL_ENDPOINTS: endpoints[0],
      };
      execFileSync('sh', [join(deploy, 'access.sh'), 'access', folder], { env, stdio: 'ignore' });
      const password = readFileSync(join(folder, 'node.password'), 'utf8').trim();
      const access = { exchange: 'access', endpoints, silenceMs };
      const user = { name: 'bourse', password };
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
      for (const wrong of [undefined, { name: 'bourse', password: 'other' }, { name: 'nobody', password }]) {
        const stranger = createEtcdLog({ ...access, ...(wrong === undefined ? {} : { user: wrong }) });
        await expect(stranger.head()).rejects.toBeInstanceOf(EtcdRefusal);
        await stranger.close();
      }
      const outside = createEtcdLog({ ...access, exchange: 'other', user });
      await expect(outside.head()).rejects.toThrow('permission denied');
      await outside.close();
      await log.close();
      await etcd.stop();
      rmSync(folder, { recursive: true });
    },
  );
});
