import type { Members } from '#model/codec/field-codec.ts';

/** A kind of command, declared under its name in the list of its area. */
export interface CommandDeclaration<Of extends Members> {
  /** Its first byte in the journal. A number once given keeps its kind and layout for ever. */
  readonly number: number;
  /** In the order of their bytes. */
  readonly members: Of;
}

/**
 * Declares a kind of command: its number in the journal and its members. Its type, its bytes, its samples and random
 * values in tests follow. A changed layout is a new number beside the old one, which stays readable while any journal
 * may hold it.
 */
export const command = <const Of extends Members>(number: number, members: Of): CommandDeclaration<Of> => ({
  number,
  members,
});
