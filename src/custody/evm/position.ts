import type { EvmNode } from '#custody/evm/node.ts';
import type { Block } from '#custody/evm/wire.ts';

/**
 * A block up to which the chain was read, with marks by which to tell later how much of it is still on the chain: the
 * hashes of the block itself and of some before it. As text `number:mark,mark,…`, at most 174 characters.
 */
export interface ChainPosition {
  readonly number: number;
  /** By `markDepths`; fewer where the chain is shorter. */
  readonly marks: readonly string[];
}

/** How far before the block of a position its marks stand. A reorganisation is followed back to the last. */
export const markDepths = [0, 2, 16, 128] as const;
/** Blocks that a reorganisation may replace without anything being missed. */
export const reorganisationDepthMax = markDepths.at(-1)!;

/** Hexadecimal digits of a hash that a mark keeps: 160 bits, and four of them fit into a position. */
const markSize = 40;

/** The mark of a block with this hash. */
export const markOf = (hash: string): string => hash.slice(2, 2 + markSize);

/** The position as text. */
export const positionText = ({ number, marks }: ChainPosition): string => `${number}:${marks.join(',')}`;

/** Reads what `positionText` wrote; null where it is something else. */
export function readPosition(text: string): ChainPosition | null {
  const match = /^(\d{1,10}):([0-9a-f]{40}(?:,[0-9a-f]{40}){0,3})$/.exec(text);
  return match === null ? null : { number: Number(match[1]), marks: match[2]!.split(',') };
}

/** Numbers of the blocks that the marks of a position at `number` stand for. */
export const markedNumbers = (number: number): readonly number[] =>
  markDepths.map((depth) => number - depth).filter((marked) => marked >= 0);

/** The position at a block; `read` are blocks that need not be asked for again. */
export async function positionAt(node: EvmNode, number: number, read: readonly Block[] = []): Promise<ChainPosition> {
  const known = new Map(read.map((block) => [block.number, block.hash]));
  const numbers = markedNumbers(number);
  const asked = await node.hashes(numbers.filter((marked) => !known.has(marked)));
  return { number, marks: numbers.map((marked) => markOf(known.get(marked) ?? asked.get(marked)!)) };
}
