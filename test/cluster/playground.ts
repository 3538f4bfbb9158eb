import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { DemoFile } from '#sandbox/sandbox-files.ts';
import { ClusterProcesses } from './cluster-processes.ts';
import { type EtcdMembers, hasEtcd, startEtcdMembers } from './etcd-members.ts';

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
const symbol = 'BTCUSDT';
const lookMs = 250;

/** What is kept beside the data: written last, so that a folder which has it is whole. */
interface Kept {
  readonly port: number;
  readonly masterKey: string;
  readonly operatorToken: string;
  readonly accounts: DemoFile['accounts'];
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
    ...{ exchange: 'playground', profile: 'sandbox', folder, firstPort, endpoints: etcd.endpoints },
    ...{ masterKey: secrets.masterKey, operatorToken: secrets.operatorToken },
  });
  if (kept !== null) return { cluster, kept };
  console.log('Making a sandbox with a month of its market: up to a minute …');
  const { accounts } = await cluster.foundSandbox();
  const made = { port: firstPort, ...secrets, accounts };
  writeFileSync(keptFile, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 });
  rmSync(unfinished);
  return { cluster, kept: made };
}

function tellHowToPlay(cluster: ClusterProcesses, { operatorToken, accounts }: Kept, etcd: EtcdMembers): void {
  const { nodes } = cluster;
  const [one, two, three] = nodes.map(({ url }) => url);
  const [trader] = accounts;
  console.log('\nThree nodes run one sandbox, whose simulated traders act at the leader. Each is started again.\n');
  for (const { name, url: api, operatorUrl: desk, log } of nodes)
    console.log(`  ${name}  API ${api}  operator API ${desk}  log ${log}`);
  console.log(`  etcd    ${etcd.endpoints.join('  ')}\n`);
  console.log('Accounts with play money:\n');
  for (const { name, apiKey, secretKey } of accounts.slice(0, 2))
    console.log(`  ${name.padEnd(6)}  key ${apiKey}  secret ${secretKey}`);
  console.log(`\nMore of them, and the operator's token: ${keptFile}\n`);
  console.log('Look at the moving price, the same at each node:\n');
  for (const url of [one, two, three]) console.log(`  curl -s -w '\\n' '${url}/api/v3/ticker/price?symbol=${symbol}'`);
  console.log('\nPlace an order at node-2, far from the price, so that it rests:\n');
  console.log(`  q="symbol=${symbol}&side=BUY&type=LIMIT&quantity=0.001&price=20000&timestamp=$(date +%s)000"`);
  console.log(`  s=$(printf %s "$q" | openssl dgst -sha256 -hmac ${trader!.secretKey} | sed 's/.* //')`);
  console.log(`  curl -s -X POST -H 'X-SVC-APIKEY: ${trader!.apiKey}' "${two}/api/v3/order?$q&signature=$s"\n`);
  console.log('Read it at node-3:\n');
  console.log(`  r="symbol=${symbol}&timestamp=$(date +%s)000"`);
  console.log(`  t=$(printf %s "$r" | openssl dgst -sha256 -hmac ${trader!.secretKey} | sed 's/.* //')`);
  console.log(`  curl -s -H 'X-SVC-APIKEY: ${trader!.apiKey}' "${three}/api/v3/openOrders?$r&signature=$t"\n`);
  console.log('As an operator:\n');
  console.log(`  curl -s -H 'Authorization: Bearer ${operatorToken}' ${nodes[0]!.operatorUrl}/v1/accounts\n`);
  console.log('Who leads, and how far each node is:\n');
  console.log(`  node dist/main/bourse.js cluster status --cluster ${cluster.fileOf(0)}\n`);
  console.log('Then kill the leader: the line below names its process, and the next one who leads after it.');
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
