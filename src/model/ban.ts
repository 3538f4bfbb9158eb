import { integer, record, text, time, type ValueOf } from '#model/codec/field-codec.ts';

/** An address that may not call until a wall-clock moment. */
export const ban = record({
  address: text(),
  until: time(),
  /** Step of the ladder: how many bans within the ladder's memory, this one included. */
  times: integer(),
});
export type BanView = ValueOf<typeof ban>;
