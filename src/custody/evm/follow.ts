import type { EvmNode, Head } from '#custody/evm/node.ts';
import type { ChainPosition } from '#custody/evm/position.ts';
import { markedNumbers, markOf, positionAt, readPosition, reorganisationDepthMax } from '#custody/evm/position.ts';
import type { Block } from '#custody/evm/wire.ts';

/** Blocks that were not read yet, oldest first, and the position after them. */
export interface NewBlocks {
  readonly head: Head;
  readonly position: ChainPosition;
  readonly blocks: readonly Block[];
  /** As in `Observation`. */
  readonly fork: number | null;
}

/** How to follow a chain. */
export interface Following {
  readonly node: EvmNode;
  /** First block to read where there is no position yet; null: the next one. */
  readonly startBlock: number | null;
  /** Blocks that one call reads at most. */
  readonly blocksMax: number;
  readonly notice: (message: string) => void;
}

/**
 * What came onto the chain since a position. Where blocks of the position were replaced, reading begins again behind
 * the nearest of its marks that is still on the chain, so some blocks are read twice and none is missed. DEC-WAL-46.
 */
export async function newBlocks(following: Following, since: string | null): Promise<NewBlocks> {
  const { node, startBlock, blocksMax } = following;
  const last = since === null ? null : readPosition(since);
  if (since !== null && last === null) throw node.fault('the position is not one of an EVM chain');
  node.noteRead(last?.number ?? 0);
  const head = await node.head();
  if (last === null && startBlock === null)
    return { head, position: await positionAt(node, head.number), blocks: [], fork: null };
  const base = last === null ? await startOf(node, startBlock ?? 0) : await commonBlock(following, last);
  const fork = last === null || base.number === last.number ? null : base.isCommon ? base.number : -1;
  const end = Math.min(head.number, base.number + blocksMax);
  const blocks = await node.blocks(base.number + 1, end);
  const first = blocks[0];
  if (first !== undefined && first.parentHash !== base.hash)
    throw node.fault(`block ${first.number} does not follow block ${base.number}`);
  if (end === head.number && (blocks.at(-1) ?? base).hash !== head.hash)
    throw node.fault(`block ${head.number} changed while it was read`);
  node.noteRead(end);
  if (last !== null && blocks.length === 0) return { head, position: last, blocks, fork };
  return { head, position: await positionAt(node, end, blocks), blocks, fork };
}

interface ReadBlock {
  readonly number: number;
  readonly hash: string;
  /** Whether it is known to have been on the chain before. */
  readonly isCommon: boolean;
}

async function startOf(node: EvmNode, startBlock: number): Promise<ReadBlock> {
  // The first block of a chain holds no transactions, so it counts as read.
  const number = Math.max(0, startBlock - 1);
  return { number, hash: (await node.hashes([number])).get(number)!, isCommon: true };
}

/** The newest block of a position that is still on the chain. */
async function commonBlock({ node, notice }: Following, { number, marks }: ChainPosition): Promise<ReadBlock> {
  const numbers = markedNumbers(number).slice(0, marks.length);
  const hashes = await node.hashes(numbers);
  const common = numbers.find((marked, index) => markOf(hashes.get(marked)!) === marks[index]);
  if (common !== undefined) return { number: common, hash: hashes.get(common)!, isCommon: true };
  const oldest = numbers.at(-1)!;
  notice(
    `More than ${reorganisationDepthMax} blocks before block ${number} were replaced. Reading goes on behind block ` +
      `${oldest}; deposits in replaced blocks before it must be compared by hand.`,
  );
  return { number: oldest, hash: hashes.get(oldest)!, isCommon: false };
}
