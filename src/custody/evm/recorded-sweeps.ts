import type { Sweep } from '#custody/custody.ts';
import type { DepositAddresses } from '#custody/evm/deposit-addresses.ts';
import { readTransfer } from '#custody/evm/erc20.ts';
import type { SpendingKeys } from '#custody/evm/keys.ts';
import { readAddress } from '#custody/evm/keys.ts';
import type { EvmNode, Head } from '#custody/evm/node.ts';
import type { EvmSettings } from '#custody/evm/settings.ts';
import type { Block, BlockTransaction, Receipt } from '#custody/evm/wire.ts';

/** What finding sweeps needs. */
export interface SweepRecordTools {
  readonly node: EvmNode;
  readonly settings: EvmSettings;
  readonly spending: SpendingKeys;
  readonly deposits: DepositAddresses;
  readonly notice: (message: string) => void;
}

/** Position of sweeps while somebody else sweeps. */
export const noPosition = 'none';

/** A final block up to which sweeps were reported, as text `number:hash`. */
interface FinalPosition {
  readonly number: number;
  readonly hash: string;
}

/**
 * Sweeps in blocks that became final since a position, each once: every transaction that a deposit address or the gas
 * wallet sent, for its fee at least. What is reported is never taken back, so a reorganisation of final blocks is not
 * followed but told to the operator. DEC-WAL-49.
 */
export async function recordedSweeps(
  tools: SweepRecordTools,
  since: string | null,
  addressCount: number,
): Promise<{ readonly position: string; readonly sweeps: readonly Sweep[] }> {
  const { node, settings, deposits, notice } = tools;
  await deposits.derive(addressCount);
  const isNew = since === null || since === noPosition;
  const last = isNew ? null : readFinalPosition(since);
  if (!isNew && last === null) throw node.fault('the position of sweeps is not one of an EVM chain');
  node.noteRead(last?.number ?? 0);
  const head = await node.head();
  const final = head.number - settings.sweepConfirmations + 1;
  if (last === null) return { position: await startingPosition(tools, final), sweeps: [] };
  if (final <= last.number) return { position: since!, sweeps: [] };
  const blocks = await node.blocks(last.number + 1, Math.min(final, last.number + settings.blocksPerCall));
  if (blocks[0]!.parentHash !== last.hash)
    notice(`Block ${last.number} was final and is replaced: sweeps in replaced blocks must be compared by hand.`);
  const { number, hash } = blocks.at(-1)!;
  return { position: `${number}:${hash}`, sweeps: await sweepsIn(tools, { blocks, head }, addressCount) };
}

function readFinalPosition(text: string): FinalPosition | null {
  const match = /^(\d{1,10}):(0x[0-9a-f]{64})$/.exec(text);
  return match === null ? null : { number: Number(match[1]), hash: match[2]! };
}

async function startingPosition({ node, settings }: SweepRecordTools, final: number): Promise<string> {
  const number = Math.max(0, settings.startBlock === null ? final : Math.min(final, settings.startBlock - 1));
  return `${number}:${(await node.hashes([number])).get(number)!}`;
}

async function sweepsIn(
  { node, spending, deposits }: SweepRecordTools,
  { blocks, head }: { readonly blocks: readonly Block[]; readonly head: Head },
  addressCount: number,
): Promise<readonly Sweep[]> {
  const [hotWallet, gasWallet] = [spending.hotWallet, spending.gasWallet].map(({ address }) => address.toLowerCase());
  const sent = blocks
    .flatMap(({ transactions }) => transactions)
    .filter(({ from }) => from === gasWallet || deposits.has(from, addressCount));
  const receipts = await node.canonicalReceipts(
    sent.map(({ hash }) => hash),
    head,
  );
  return sent.map((transaction, index) => {
    const receipt = receipts[index];
    if (!receipt) throw node.fault(`transaction ${transaction.hash} of a final block has no receipt`);
    const networkFee = receipt.gasUsed * receipt.effectiveGasPrice;
    return { txId: transaction.hash, ...movedTo(hotWallet!, transaction, receipt), networkFee };
  });
}

/** What a transaction moved to the hot wallet; nothing of the native coin where it only cost its fee. */
function movedTo(
  hotWallet: string,
  { from, to, value }: BlockTransaction,
  { status, logs }: Receipt,
): Pick<Sweep, 'contract' | 'amount'> {
  if (status !== '0x1' || to === null) return { contract: null, amount: 0n };
  if (to === hotWallet) return { contract: null, amount: value };
  let amount = 0n;
  for (const log of logs) {
    const transfer = readTransfer(log);
    if (transfer?.contract === to && transfer.from === from && transfer.to === hotWallet) amount += transfer.amount;
  }
  return amount === 0n ? { contract: null, amount } : { contract: readAddress(to), amount };
}
