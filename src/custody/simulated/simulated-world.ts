import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import type { Network } from '#custody/addresses/networks.ts';
import { networkCodes } from '#custody/addresses/networks.ts';
import { NetworkUnavailable } from '#custody/custody.ts';
import { BlockHistory } from '#custody/simulated/block-history.ts';
import { appendRecord, ChainFileFault, readRecords, replaceRecords } from '#custody/simulated/chain-file.ts';
import type { ChainRecord } from '#custody/simulated/chain-records.ts';
import type { ChainStorage } from '#custody/simulated/chain-file.ts';
import { reorganisationDepthMax } from '#custody/simulated/chain-controls.ts';
import { NetworkChain } from '#custody/simulated/network-chain.ts';

/** A larger file is written anew at the start. */
const compactAboveSize = 1 << 20;
/** Time that passes without payments is recorded this often. */
const idleRecordMs = 60_000;

/** What a simulated world is made of. */
export interface WorldParts {
  readonly storage: ChainStorage;
  /** Everything that looks random comes from it. */
  readonly seed: string;
  /** The exchange's clock. It may be set forward, which mines blocks, and back, which unmines none. */
  readonly clock: Clock;
  /** Time between two blocks. */
  readonly blockMs: number;
}

/** One after the other: what is asked of the world, and what happens in it. */
export interface WorldTurn {
  /** The time, never before that of an earlier turn unless the clock was set back. */
  readonly at: number;
  /** Makes a thing happen; resolves once it is durable and visible. */
  record(record: ChainRecord): Promise<void>;
}

/**
 * All simulated networks and the file that they are the fold of. Questions and acts take turns, so that nobody who was
 * told of a block learns later of an older transaction in it. It has no timers: blocks are counted when asked for.
 */
export class SimulatedWorld {
  readonly seed: string;
  private readonly storage: ChainStorage;
  private readonly clock: Clock;
  private readonly chains = new Map<Network, NetworkChain>();
  private blockMs: number;
  /** What the newest record was written at. */
  private durableAt = 0;
  /** What the newest turn was at; what is later than `durableAt` is lost at a crash and read from the clock again. */
  private seenAt = 0;
  private isBroken = false;
  private lastTurn: Promise<unknown> = Promise.resolve();

  private constructor({ storage, seed, clock, blockMs }: WorldParts) {
    this.storage = storage;
    this.seed = seed;
    this.clock = clock;
    this.blockMs = blockMs;
  }

  /**
   * The world of a file, or a new one that begins now.
   * @throws ChainFileFault if the file is damaged or was made with another seed.
   */
  static async open(parts: WorldParts): Promise<SimulatedWorld> {
    assert(Number.isSafeInteger(parts.blockMs) && parts.blockMs > 0, 'blocks take whole milliseconds');
    const world = new SimulatedWorld(parts);
    const size = await readRecords(parts.storage, (record) => world.apply(record));
    const { seed, blockMs } = parts;
    if (size === 0) {
      const beginning: ChainRecord = { kind: 'beginning', version: 1, seed, at: parts.clock.now(), blockMs };
      await replaceRecords(parts.storage, [beginning]);
      world.apply(beginning);
    } else if (size > compactAboveSize) {
      await replaceRecords(parts.storage, world.compacted());
    }
    world.seenAt = world.durableAt;
    if (world.blockMs !== blockMs) await world.turn(({ at, record }) => record({ kind: 'pace', at, blockMs }));
    return world;
  }

  chain(network: Network): NetworkChain {
    const chain = this.chains.get(network);
    assert(chain !== undefined, 'a world has every network from its beginning');
    return chain;
  }

  /**
   * Runs `run` after all earlier turns.
   * @throws NetworkUnavailable once the file could not be written: what happened since is only known after a restart.
   */
  turn<T>(run: (turn: WorldTurn) => T | Promise<T>): Promise<T> {
    const result = this.lastTurn.then(async () => {
      const at = await this.present();
      return run({ at, record: (record) => this.record(record) });
    });
    this.lastTurn = result.catch(() => undefined);
    return result;
  }

  /** Waits for the turns that were asked for, and records the time. */
  async close(): Promise<void> {
    await this.lastTurn;
    if (!this.isBroken && this.seenAt > this.durableAt) await this.record({ kind: 'time', at: this.seenAt });
    await this.storage.close();
  }

  /** What time it is in the world; recorded where a restart without it could take blocks away. DEC-WAL-40. */
  private async present(): Promise<number> {
    this.assertWritable();
    const now = this.clock.now();
    if (now <= this.seenAt - this.blockMs) {
      if (this.seenAt > this.durableAt) await this.record({ kind: 'time', at: this.seenAt });
      await this.record({ kind: 'time', at: now });
      this.seenAt = now;
    }
    // A clock that steps back by less than a block makes the world wait for it.
    this.seenAt = Math.max(this.seenAt, now);
    if (this.isTimeWorthRecording()) await this.record({ kind: 'time', at: this.seenAt });
    return this.seenAt;
  }

  /** With payments about that can still fall out every block counts, else every minute. */
  private isTimeWorthRecording(): boolean {
    if (this.seenAt - this.durableAt >= idleRecordMs) return true;
    return [...this.chains.values()].some(({ blocks, lastMinedHeight }) => {
      const durableHeight = blocks.heightAt(this.durableAt);
      return lastMinedHeight > durableHeight - reorganisationDepthMax && blocks.heightAt(this.seenAt) > durableHeight;
    });
  }

  private async record(record: ChainRecord): Promise<void> {
    this.assertWritable();
    try {
      await appendRecord(this.storage, record);
    } catch (error) {
      this.isBroken = true;
      throw new NetworkUnavailable("The simulated chain's file cannot be written.", { cause: error });
    }
    this.apply(record);
  }

  private assertWritable(): void {
    if (this.isBroken) throw new NetworkUnavailable("The simulated chain's file could not be written; restart.");
  }

  private apply(record: ChainRecord): void {
    if (record.kind === 'beginning') this.begin(record);
    else if (this.chains.size === 0) throw new ChainFileFault("The simulated chain's file does not begin like one.");
    else if (record.kind === 'image') this.load(record);
    // The clock was set back: blocks go on from the height that they had reached.
    else if (record.at < this.durableAt) this.anchor({ until: this.durableAt, at: record.at });
    this.durableAt = record.at;
    if ('network' in record) this.chain(record.network).apply(record);
    if (record.kind !== 'pace') return;
    this.anchor({ until: record.at, at: record.at });
    this.setPace(record.blockMs);
  }

  private begin({ seed, at, blockMs }: ChainRecord & { readonly kind: 'beginning' }): void {
    if (seed !== this.seed) throw new ChainFileFault("The simulated chain's file was made with another seed.");
    for (const network of networkCodes)
      this.chains.set(network, new NetworkChain(network, new BlockHistory({ network, seed, at, blockMs })));
    this.blockMs = blockMs;
  }

  private load({ networks, blockMs }: ChainRecord & { readonly kind: 'image' }): void {
    for (const image of networks) this.chain(image.network).load(image);
    this.setPace(blockMs);
  }

  private anchor({ until, at }: { readonly until: number; readonly at: number }): void {
    for (const { blocks } of this.chains.values()) blocks.anchor(at, blocks.heightAt(until));
  }

  private setPace(blockMs: number): void {
    this.blockMs = blockMs;
    for (const { blocks } of this.chains.values()) blocks.setPace(blockMs);
  }

  private compacted(): readonly ChainRecord[] {
    const { seed, blockMs, durableAt: at } = this;
    const networks = [...this.chains.values()].map((chain) => chain.image());
    return [
      { kind: 'beginning', version: 1, seed, at, blockMs },
      { kind: 'image', at, blockMs, networks },
    ];
  }
}
