import { type FieldCodec, nullable, record, type ShapeOf, text, type ValueOf } from '#model/codec/field-codec.ts';
import { webhookCommands } from '#model/commands/webhook-commands.ts';
import { accountCommands } from '#model/commands/account-commands.ts';
import type { CommandDeclaration } from '#model/commands/command-declaration.ts';
import { contractCommands } from '#model/commands/contract-commands.ts';
import { keyCommands } from '#model/commands/key-commands.ts';
import { listingCommands } from '#model/commands/listing-commands.ts';
import { operationCommands } from '#model/commands/operation-commands.ts';
import { orderCommands } from '#model/commands/order-commands.ts';
import { rebateCommands } from '#model/commands/rebate-commands.ts';
import { walletCommands } from '#model/commands/wallet-commands.ts';
import type { Epoch, Seq, TimestampMs } from '#model/units.ts';

/** Every kind of command but `operate`, as its area declares it. */
export const plainCommands = {
  ...orderCommands,
  ...listingCommands,
  ...accountCommands,
  ...webhookCommands,
  ...keyCommands,
  ...operationCommands,
  ...walletCommands,
  ...rebateCommands,
  ...contractCommands,
};

type Declared = typeof plainCommands;
type ShapeOfCommand<Kind extends string, Of> =
  Of extends CommandDeclaration<infer Members> ? ShapeOf<{ readonly kind: FieldCodec<Kind> } & Members> : never;
type PlainCommands = { readonly [Kind in keyof Declared]: ShapeOfCommand<Kind, Declared[Kind]> };

/** Name of a kind of command that `operate` may wrap. */
export type PlainKind = keyof PlainCommands;

/** Who acts, from where and why: what stands in the journal with a command of an operator. DEC-OPR-190. */
export const acting = record({
  /** The operator's name. */
  actor: text(),
  /** Names the token: `root`, or the first characters of its SHA-256. Never the token, and not the whole hash. */
  token: text(),
  /** Of the client. */
  address: text(),
  idempotencyKey: nullable(text()),
  /** In the operator's words; `null`: none was given. */
  reason: nullable(text()),
});
export type Acting = ValueOf<typeof acting>;

/**
 * A command by an operator: the same effect, and a fact that tells of the act. A repeated idempotency key of the same
 * operator does nothing and tells the first outcome. Not nested.
 */
export interface Operate extends Acting {
  readonly kind: 'operate';
  readonly command: PlainCommands[PlainKind];
}

/**
 * A request to change exchange state. Nothing else may change it: configuration and the passing of time included.
 * Closed: a new kind does not compile until the engine knows it.
 */
export type Command = PlainCommands[PlainKind] | Operate;

/** Name of a kind of command. */
export type CommandKind = Command['kind'];
/** Commands of these kinds. */
export type CommandOf<Kind extends CommandKind> = Kind extends PlainKind ? PlainCommands[Kind] : Operate;

/** A command after sequencing. `seq` alone gives the order of replay; `at` is its time and never decreases. */
export interface Entry {
  readonly seq: Seq;
  readonly epoch: Epoch;
  readonly at: TimestampMs;
  readonly command: Command;
}
