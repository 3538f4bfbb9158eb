import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ClusterProcesses } from './cluster-processes.ts';
import { type EtcdMembers, hasEtcd, startEtcdMembers } from './etcd-members.ts';
import { pair, type Trader } from './exchange-set-up.ts';

// `npm run cluster`: see `tools/cluster.mjs`, which makes one file of this and runs it.

const { values } = parseArgs({
  options: {
    fresh: { type: 'boolean', default: false },
    port: { type: 'string', default: '8180' },
    data: { type: 'string', default: 'cluster-data' },
  },
});
const folder = values.data;
const firstPort = Number(values.port);
/** Two of each node, two of each member of etcd. */
const portCount = 12;
const lookMs = 250;

/** What is kept beside the data: written last, so that a folder which has it is whole. */
interface Kept {
  readonly port: number;
  readonly masterKey: string;
  readonly operatorToken: string;
  readonly traders: readonly Trader[];
}
const keptFile = join(folder, 'keys.json');
const unfinished = join(folder, 'unfinished');

/** Why it cannot be started, for people. */
class NotStarted extends Error {}

function readKept(): Kept | null {
  const isOurs = existsSync(keptFile) || existsSync(unfinished);
  if (existsSync(folder) && readdirSync(folder).length > 0 && !isOurs)
    throw new NotStarted(`${folder} has other files: move them away first.`);
  if (values.fresh || existsSync(unfinished)) rmSync(folder, { recursive: true, force: true });
  if (!existsSync(keptFile)) return null;
  const kept = JSON.parse(readFileSync(keptFile, 'utf8')) as Kept;
  if (kept.port !== firstPort)
    throw new NotStarted(`${folder} was made with --port ${kept.port}: give the same, or --fresh.`);
  return kept;
}

async function requireFreePorts(): Promise<void> {
  for (let port = firstPort; port < firstPort + portCount; port += 1) {
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      throw new NotStarted(`Port ${port} is taken; ${portCount} are needed: choose others with --port N.`);
    }
    server.close();
    await once(server, 'close');
  }
}

const secret = (): string => randomBytes(32).toString('hex');

/** The exchange of the folder, or a new one. */
async function open(etcd: EtcdMembers, kept: Kept | null): Promise<{ cluster: ClusterProcesses; kept: Kept }> {
  const secrets = kept ?? { masterKey: secret(), operatorToken: secret() };
  const cluster = new ClusterProcesses({
    ...{ exchange: 'playground', folder, firstPort, endpoints: etcd.endpoints },
    ...{ masterKey: secrets.masterKey, operatorToken: secrets.operatorToken },
  });
  if (kept !== null) return { cluster, kept };
  console.log('Making an exchange with one pair and two accounts …');
  const made = { port: firstPort, ...secrets, traders: await cluster.found(['Alice', 'Bob']) };
  writeFileSync(keptFile, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 });
  rmSync(unfinished);
  return { cluster, kept: made };
}

function tellHowToPlay(cluster: ClusterProcesses, { operatorToken, traders }: Kept, etcd: EtcdMembers): void {
  const { nodes } = cluster;
  const [alice] = traders;
  const { url, operatorUrl } = nodes[0]!;
  console.log('\nThree nodes run one exchange. Each is started again whenever it ends.\n');
  for (const { name, url: api, operatorUrl: desk, log } of nodes)
    console.log(`  ${name}  API ${api}  operator API ${desk}  log ${log}`);
  console.log(`  etcd    ${etcd.endpoints.join('  ')}\n`);
  console.log('Look, at any node that answers:\n');
  console.log(`  curl -s '${url}/api/v3/depth?symbol=${pair.symbol}'`);
  console.log(`  curl -s -H 'Authorization: Bearer ${operatorToken}' ${operatorUrl}/v1/accounts\n`);
  console.log(`Place an order of Alice (Bob and all keys: ${keptFile}):\n`);
  console.log(`  q="symbol=${pair.symbol}&side=BUY&type=LIMIT&quantity=0.5&price=100&timestamp=$(date +%s)000"`);
  console.log(`  s=$(printf %s "$q" | openssl dgst -sha256 -hmac ${alice!.secretKey} | sed 's/.* //')`);
  console.log(`  curl -s -X POST -H 'X-SVC-APIKEY: ${alice!.apiKey}' "${url}/api/v3/order?$q&signature=$s"\n`);
  console.log('Who leads, and how far each node is:\n');
  console.log(`  node dist/main/bourse.js cluster status --cluster ${cluster.fileOf(0)}\n`);
  console.log('Ctrl-C ends everything; the next start goes on with the same data, or with --fresh from nothing.\n');
}

/** Tells who leads and how to kill it, whenever that changes, and starts members of etcd that ended. */
async function watch({ log, nodes }: ClusterProcesses, etcd: EtcdMembers, isOver: () => boolean): Promise<void> {
  let told = '';
  while (!isOver()) {
    const leader = await log.leader().catch(() => undefined);
    const node = nodes.find(({ name }) => name === leader?.node);
    let line = leader === undefined ? 'The quorum does not answer: nobody takes orders.' : 'Nobody leads.';
    if (node !== undefined) line = `${node.name} leads, at ${node.url}, in epoch ${leader!.epoch}.`;
    if (line !== told && !isOver()) {
      const how = node?.pid === undefined ? '' : ` Kill it:  kill -9 ${node.pid}`;
      console.log(`${new Date().toLocaleTimeString()}  ${line}${how}`);
    }
    told = line;
    etcd.members.forEach((member, index) => {
      if (member.pid() !== null || isOver()) return;
      console.log(`${new Date().toLocaleTimeString()}  etcd member ${index + 1} ended, and is started again.`);
      member.start();
    });
    await new Promise((resolve) => setTimeout(resolve, lookMs));
  }
}

async function main(): Promise<number> {
  if (!hasEtcd) {
    console.error(
      'A cluster needs etcd 3.4 or later. Where apt-get can download, it comes by itself; elsewhere\n' +
        'get it from your packages or https://etcd.io, and name the program: ETCD_BIN=/path/to/etcd npm run cluster',
    );
    return 1;
  }
  const kept = readKept();
  await requireFreePorts();
  if (kept === null) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(unfinished, '');
  }
  let isOver = false;
  const asked = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.on(signal, () => {
        if (isOver) process.exit(1);
        isOver = true;
        resolve();
      });
  });
  const etcd = await startEtcdMembers({ kept: { folder: join(folder, 'etcd'), firstPort: firstPort + portCount / 2 } });
  const { cluster, kept: keys } = await open(etcd, kept);
  cluster.start();
  console.log('Starting three nodes …');
  await Promise.race([cluster.untilServing(), asked]);
  tellHowToPlay(cluster, keys, etcd);
  const watching = watch(cluster, etcd, () => isOver);
  await asked;
  console.log('\nStopping. Once more ends it at once.');
  await watching;
  await cluster.stop();
  await cluster.close();
  await etcd.stop();
  return 0;
}

try {
  process.exit(await main());
} catch (error) {
  console.error(error instanceof NotStarted ? error.message : error);
  process.exit(1);
}
