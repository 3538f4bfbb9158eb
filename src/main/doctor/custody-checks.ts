import { isoTime, wallClock } from '#base/clock.ts';
import { NetworkUnavailable } from '#custody/custody.ts';
import { EvmNode } from '#custody/evm/node.ts';
import { createRpc, type Rpc } from '#custody/evm/rpc.ts';
import { CustodyMisconfigured } from '#custody/watch-only.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import { fault, type Finding, ok, warning } from '#main/doctor/finding.ts';
import { type EvmEntry, type NetworkEntry, readCustodyFile } from '#main/secrets/custody-file.ts';
import type { MasterKeys } from '#main/secrets/master-key.ts';
import { createSecretSeal } from '#main/secrets/secret-seal.ts';
import { openWalletSeed } from '#main/secrets/wallet-seed.ts';

/** What custody is looked at with. */
export interface CustodyCheckParts {
  readonly config: Configuration;
  /** `null`: seeds cannot be opened. */
  readonly keys: MasterKeys | null;
  readonly readFile: (path: string) => string;
}

/** Whether the custody file can be used, its seeds opened and its nodes asked. */
export async function checkCustody(parts: CustodyCheckParts): Promise<readonly Finding[]> {
  const { custodyFile, profile } = parts.config;
  if (custodyFile === null)
    return [ok('custody', profile === 'sandbox' ? 'simulated chains' : 'none: no coin is received or paid')];
  let networks: readonly NetworkEntry[];
  try {
    networks = readCustodyFile(custodyFile, parts.readFile);
  } catch (error) {
    if (!(error instanceof CustodyMisconfigured)) throw error;
    return [fault('custody', error.message, 'mend the custody file: docs/operations/custody.md')];
  }
  const findings = networks.map((entry) => (entry.kind === 'evm' ? checkEvm(entry, parts) : [checkWatchOnly(entry)]));
  return (await Promise.all(findings)).flat();
}

const checkWatchOnly = ({ network }: NetworkEntry): Finding =>
  ok(`custody ${network}`, 'watched only: operators report deposits and payments');

async function checkEvm(entry: EvmEntry, parts: CustodyCheckParts): Promise<readonly Finding[]> {
  const seed = checkSeed(entry, parts);
  return [...(seed === null ? [] : [seed]), await checkNode(entry)];
}

/** Whether the seed of a hot wallet opens with the master key; `null`: there is none, or no key. */
function checkSeed({ keys, network }: EvmEntry, parts: CustodyCheckParts): Finding | null {
  if (keys.kind !== 'hot' || parts.keys === null) return null;
  const check = `seed ${network}`;
  try {
    openWalletSeed(keys.seedFile, network, { seal: createSecretSeal(parts.keys), readFile: parts.readFile });
    return ok(check, `${keys.seedFile} opens with the master key`);
  } catch (error) {
    if (!(error instanceof CustodyMisconfigured)) throw error;
    return fault(check, error.message, 'put back the seed file and the master key that belong together');
  }
}

/** A newest block that is older than this is reported: the node may have stopped following its chain. */
const headAgeMaxMs = 600_000;

/** Whether a node answers, is on the right chain and has caught up; and which program it is. */
async function checkNode({ network, rpcUrl, chainId, requestTimeoutMs }: EvmEntry): Promise<Finding> {
  const check = `node ${network}`;
  const rpc = createRpc({ network, url: rpcUrl, timeoutMs: requestTimeoutMs });
  try {
    const head = await new EvmNode({ network, chainId, rpc }).head();
    const told = `chain ${chainId}, block ${head.number}, ${await programOf(rpc)}`;
    const at = head.timestamp === null ? null : head.timestamp * 1000;
    if (at === null || wallClock.now() - at <= headAgeMaxMs) return ok(check, told);
    return warning(check, `${told}; the newest block is of ${isoTime(at)}`, 'look whether the node still has peers');
  } catch (error) {
    if (!(error instanceof NetworkUnavailable)) throw error;
    return fault(check, error.message, 'look at rpcUrl and chainId of the custody file, and at the node itself');
  }
}

/** Name and version of the node's program, as it tells them. */
async function programOf(rpc: Rpc): Promise<string> {
  const [answer] = await rpc([{ method: 'web3_clientVersion', params: [] }]);
  const told = answer !== undefined && 'result' in answer ? answer.result : null;
  return typeof told === 'string'
    ? told.replace(/[^\x20-\x7e]/g, '?').slice(0, 80)
    : 'a program that does not tell its name';
}
