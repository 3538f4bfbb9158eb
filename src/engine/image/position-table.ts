import { as } from '#model/units.ts';
import type { StateTable } from '#engine/state/state-table.ts';
import type { EngineState } from '#engine/state/state.ts';

/**
 * Position of the engine: last entry, rules in force, event digests. Not in the digest of the business state, because
 * it changes with every entry.
 */
export function positionTable(state: EngineState): StateTable {
  return {
    name: 'position',
    version: 1,
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
    read: (reader) => {
      state.seq = as(reader.varint());
      state.at = as(reader.varint());
      state.emit.load([reader.u32() | 0, reader.u32() | 0, reader.u32() | 0, reader.u32() | 0]);
      state.checkpoint = { at: as(reader.varint()), digest: as(reader.text()) };
      state.rules = reader.varint();
      state.epoch = as(reader.varint());
    },
    audit: () => {},
  };
}
