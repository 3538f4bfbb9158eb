import type { Command, Entry } from '#model/command.ts';
import type { EventSink } from '#model/events.ts';
import { engineLimits } from '#model/limits.ts';
import { newestRules } from '#model/rules.ts';
import type { Digest, Seq, TimestampMs } from '#model/units.ts';
import { hasRoomFor } from '#engine/admission.ts';
import type { CommandTable } from '#engine/money/command-function.ts';
import { createCommandTable } from '#engine/command-table.ts';
import { cancelSomeFrozen } from '#engine/accounts/freeze-commands.ts';
import { closeExpiredListenKeys } from '#engine/accounts/listen-key-commands.ts';
import { openDuePairs } from '#engine/listing/listing-commands.ts';
import { createMatching, type Matching } from '#engine/spot/matching.ts';
import { businessDigest, readState, writeState } from '#engine/image/state-image.ts';
import { samplePrices } from '#engine/money/sample-prices.ts';
import { beginFeeTierDay } from '#engine/spot/fee-tier-commands.ts';
import { EngineState } from '#engine/state/state.ts';

/**
 * The state machine with its state, which queries read. Synchronous, without I/O: equal entries give equal events and
 * equal digests on any machine. Commands are applied by closures over the state, not by methods: in a process with one
 * engine V8 treats the captured variables as constants (docs/decisions/0012).
 */
export class StateMachine {
  readonly state: EngineState;
  readonly matching: Matching;
  /**
   * Applies the next entry and emits its events to `sink`; business refusals are events.
   * @throws InvariantBroken if `entry.seq` does not follow the last applied one or an invariant breaks: stop the role.
   */
  readonly apply: (entry: Entry, sink: EventSink) => void;

  /** `known`: the newest version of the rules that this engine applies. */
  constructor(state: EngineState = new EngineState(), known = newestRules) {
    this.state = state;
    this.matching = createMatching(state);
    const run = createCommandRunner(state, createCommandTable(this.matching, known), this.matching);
    this.apply = (entry, sink) => {
      state.progress.begin(entry);
      if (state.emit.sink !== sink) state.emit.sink = sink;
      state.emit.entryBegan(entry.seq, entry.at);
      closeExpiredListenKeys(state);
      openDuePairs(state);
      samplePrices(state);
      beginFeeTierDay(state);
      run(entry.command);
      if (state.frozenOrders.isFresh) cancelSomeFrozen(state, this.matching);
      state.ledger.assertBalanced();
      if (entry.seq % engineLimits.digestInterval === 0)
        state.progress.checkpoint = { at: entry.seq, digest: state.emit.digest() };
    };
  }

  /** Last applied entry; 0 at genesis. */
  get seq(): Seq {
    return this.state.progress.seq;
  }

  get at(): TimestampMs {
    return this.state.at;
  }

  /** Whether the tables have capacity for what a command may add; a command without it must not be journaled. */
  hasRoomFor(command: Command): boolean {
    return hasRoomFor(this.state, command);
  }

  /**
   * Digest after the last entry whose position is a multiple of the digest interval; `assertDigest` compares with it.
   */
  get checkpoint(): { readonly at: Seq; readonly digest: Digest } {
    return this.state.progress.checkpoint;
  }

  /** Rolling digest of all events so far. */
  eventDigest(): Digest {
    return this.state.emit.digest();
  }

  /** Digest of the business state in canonical order, without positions and time. */
  digest(): Digest {
    return businessDigest(this.state);
  }

  /** Image of the whole state, from which `restoreEngine` creates an engine that behaves like this one. */
  snapshot(): Uint8Array {
    return writeState(this.state);
  }
}

/** Applies commands: the two most frequent kinds directly, all others through the command table. */
function createCommandRunner(
  state: EngineState,
  table: CommandTable,
  { placeOrder, cancelOrder }: Matching,
): (command: Command) => void {
  return (command) => {
    switch (command.kind) {
      case 'placeOrder':
        placeOrder(command.account, command.order);
        return;
      case 'cancelOrder':
        cancelOrder(command.account, command.symbol, command.ref);
        return;
      default:
        (table[command.kind] as (state: EngineState, command: Command) => void)(state, command);
    }
  };
}

/** An engine at genesis. */
export const createEngine = (): StateMachine => new StateMachine();

/**
 * An engine with the state of an image. @throws ImageNotReadable if the image is damaged, or its business state has
 * another digest than `digest`.
 */
export const restoreEngine = (image: Uint8Array, digest: Digest | null = null): StateMachine =>
  new StateMachine(readState(image, digest));
