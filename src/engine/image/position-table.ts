import { as } from '#domain/units.ts';
import type { StateTable } from '#engine/image/state-table.ts';
import type { EngineState } from '#engine/state.ts';

/** Where the engine stands: its last entry, the rules in force, and the digests of events. Not business: it moves. */
export function positionTable(state: EngineState): StateTable {
  return {
    name: 'position',
    version: 2,
    isInDigest: false,
    write: (writer) => {
      writer.varint(state.seq);
      writer.varint(state.at);
      for (const word of state.emit.save()) writer.u32(word >>> 0);
      writer.varint(state.checkpoint.at);
      writer.text(state.checkpoint.digest);
      writer.varint(state.rules);
      writer.varint(state.epoch);
    },
    read: (reader, version) => {
      state.seq = as(reader.varint());
      state.at = as(reader.varint());
      state.emit.load([reader.u32() | 0, reader.u32() | 0, reader.u32() | 0, reader.u32() | 0]);
      state.checkpoint = { at: as(reader.varint()), digest: as(reader.text()) };
      // Version 1 is from before rules and epochs.
      if (version < 2) return;
      state.rules = reader.varint();
      state.epoch = as(reader.varint());
    },
    audit: () => {},
  };
}
