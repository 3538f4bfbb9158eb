import {
  type FieldCodec,
  type ValueOf,
  flag,
  integer,
  list,
  nullable,
  oneOf,
  record,
  text,
  time,
} from '#model/codec/field-codec.ts';
import { codecOfKind, decodeCommand, encodeCommand } from '#model/command-codec.ts';
import type { CommandOf } from '#model/command.ts';

/** Kinds of commands that can lower a protection, or move money on one operator's word. DEC-OPR-142, DEC-OPR-183. */
export const protectedKinds = [
  'configureWallet',
  'configureAssetNetwork',
  'setReferencePrice',
  'removeReferencePrice',
  'setAlone',
  'adjustBalance',
] as const;
/** A command that can lower a protection. */
export type ProtectedCommand = CommandOf<(typeof protectedKinds)[number]>;

/** As the journal has it. */
const protectedCommand: FieldCodec<ProtectedCommand> = {
  content: { kind: 'either', of: protectedKinds.map((kind) => codecOfKind[kind].content) },
  write: encodeCommand,
  read: (reader) => decodeCommand(reader) as ProtectedCommand,
};

/** What became of a proposal. `expired` is also one that was to take effect and fits no longer. */
export const proposalStates = ['open', 'applied', 'cancelled', 'expired'] as const;
export type ProposalState = (typeof proposalStates)[number];

/** A change that lowers a protection and waits. DEC-OPR-142. */
export const proposal = record({
  /** Running number, from 1. */
  proposal: integer(),
  command: protectedCommand,
  /** Members that lower a protection, of those that it changes. */
  lowered: list(text()),
  /** Stands for what was in force when it was made: a change of that makes it stale. */
  basis: text(),
  state: oneOf(proposalStates),
  madeBy: text(),
  madeAt: time(),
  /** Of the request that made it. */
  idempotencyKey: nullable(text()),
  /** From this moment on nobody can approve it. */
  endsAt: time(),
  /** Whether it takes effect then, because one operator runs the exchange alone; else it expires. */
  isAlone: flag,
  /** Who approved or cancelled it; `null`: nobody. */
  decidedBy: nullable(text()),
  decidedAt: nullable(time()),
});
export type Proposal = ValueOf<typeof proposal>;

/** What happened to proposals, and to the setting that they depend on. */
export type ProposalFact =
  | { readonly kind: 'proposalChanged'; readonly proposal: Proposal }
  | { readonly kind: 'aloneChanged'; readonly enabled: boolean };
