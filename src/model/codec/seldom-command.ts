import { record, type FieldCodec, type RecordFields } from '#model/codec/field-codec.ts';
import type { Command, CommandKind } from '#model/command.ts';

/** Kinds that trading sends all day; they have codecs of their own in `command-codec.ts`. */
export type FrequentKind = 'placeOrder' | 'placeOrders' | 'requote' | 'cancelOrder' | 'cancelOrders';
/** All others but `operate`, which wraps a command and stands in `command-codec.ts` too. */
export type SeldomKind = Exclude<CommandKind, FrequentKind | 'operate'>;
export type CommandOf<Kind extends CommandKind> = Extract<Command, { kind: Kind }>;

/** A kind of command in the journal. */
export interface SeldomCommand<Kind extends SeldomKind> extends FieldCodec<CommandOf<Kind>> {
  /** Its first byte. */
  readonly number: number;
}

/** The kind stands before the fields, as its number, so it is not one of them. */
export function command<Kind extends SeldomKind>(
  number: number,
  kind: Kind,
  fields: RecordFields<Omit<CommandOf<Kind>, 'kind'>>,
): SeldomCommand<Kind> {
  const body = record(fields);
  return {
    number,
    write: (writer, value) => body.write(writer, value),
    read: (reader) => Object.assign({ kind }, body.read(reader)) as unknown as CommandOf<Kind>,
  };
}
