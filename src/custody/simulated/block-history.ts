import type { Network } from '#custody/addresses/networks.ts';
import type { NetworkImage } from '#custody/simulated/network-image.ts';
import { transactionFormats } from '#custody/simulated/transaction-format.ts';

/** Reorganisations that are remembered; a position of before them is answered like an unknown one. */
const forksMax = 1000;

type BlockImage = Pick<NetworkImage, 'anchorAt' | 'anchorHeight' | 'forks' | 'forkCount'>;

/**
 * The blocks of a simulated network. None is stored: heights follow from the time since an anchor, a block whose time
 * is known, and hashes from the heights at which the chain forked. Times are milliseconds of the exchange's clock.
 */
export class BlockHistory {
  private readonly network: Network;
  private readonly seed: string;
  private blockMs: number;
  private anchorAt: number;
  private anchorHeight: number;
  /** Of each reorganisation, oldest first: the newest block that it left. */
  private forks: number[] = [];
  /** Reorganisations ever; the newest ones are in `forks`. */
  private forkCount = 0;

  constructor(start: {
    readonly network: Network;
    readonly seed: string;
    readonly at: number;
    readonly blockMs: number;
  }) {
    this.network = start.network;
    this.seed = start.seed;
    this.blockMs = start.blockMs;
    this.anchorAt = start.at;
    this.anchorHeight = 0;
  }

  /** Height of the newest block at a time, which is not before the anchor's. */
  heightAt(at: number): number {
    return this.anchorHeight + Math.floor((at - this.anchorAt) / this.blockMs);
  }

  /** When the newest block came by the passing of time, at a time that is not before the anchor's. */
  lastBlockAt(at: number): number {
    return this.nextBlockAt(at) - this.blockMs;
  }

  /** When time brings the next block. */
  nextBlockAt(at: number): number {
    return this.anchorAt + (Math.floor((at - this.anchorAt) / this.blockMs) + 1) * this.blockMs;
  }

  mine(blocks: number): void {
    this.anchorHeight += blocks;
  }

  /** Lets blocks go on from a height at a time. */
  anchor(at: number, height: number): void {
    this.anchorAt = at;
    this.anchorHeight = height;
  }

  setPace(blockMs: number): void {
    this.blockMs = blockMs;
  }

  /** From now on the blocks above `height` are others. */
  fork(height: number): void {
    this.forks.push(height);
    this.forkCount += 1;
    if (this.forks.length > forksMax) this.forks.shift();
  }

  /** Hash of a block of the chain as it is, or as it will be. */
  hashOf(height: number): string {
    return this.hashOn(this.branchOf(height), height);
  }

  positionAt(height: number): string {
    return `${height}/${this.hashOf(height)}`;
  }

  /** Whether the block that a position is of is on the chain. */
  isOnChain(position: string): boolean {
    const { height, hash } = readPosition(position);
    return hash !== null && hash === this.hashOf(height);
  }

  /** Height of the newest block that the chain has in common with the one that a position is of; -1: nobody knows. */
  lastCommonHeight(position: string): number {
    const { height, hash } = readPosition(position);
    if (hash === null) return -1;
    let common = height;
    if (hash === this.hashOf(height)) return common;
    for (let branch = this.forkCount; branch > this.forkCount - this.forks.length; branch -= 1) {
      common = Math.min(common, this.forks[branch - 1 - (this.forkCount - this.forks.length)]!);
      if (hash === this.hashOn(branch - 1, height)) return common;
    }
    return -1;
  }

  image(): BlockImage {
    const { anchorAt, anchorHeight, forks, forkCount } = this;
    return { anchorAt, anchorHeight, forks: [...forks], forkCount };
  }

  load(image: BlockImage): void {
    this.anchorAt = image.anchorAt;
    this.anchorHeight = image.anchorHeight;
    this.forks = [...image.forks];
    this.forkCount = image.forkCount;
  }

  /** How many reorganisations there were up to the last one that replaced this height. */
  private branchOf(height: number): number {
    const newest = this.forks.findLastIndex((fork) => fork < height);
    return this.forkCount - this.forks.length + newest + 1;
  }

  private hashOn(branch: number, height: number): string {
    return transactionFormats[this.network].blockHash(`block ${height} of ${this.network}, ${branch}: ${this.seed}`);
  }
}

/** The block that a position is of; without a hash it is none. */
function readPosition(position: string): { readonly height: number; readonly hash: string | null } {
  const [, digits, hash] = /^(\d{1,15})\/(\S{1,150})$/.exec(position) ?? [];
  return { height: Number(digits ?? -1), hash: hash ?? null };
}
