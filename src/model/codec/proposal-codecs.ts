import { flag, integer, list, nullable, oneOf, record, text, type FieldCodec } from '#model/codec/field-codec.ts';
import { decodeCommand, encodeCommand } from '#model/command-codec.ts';
import type { Proposal, ProtectedCommand } from '#model/proposal.ts';

/** A command as the journal has it. */
const protectedCommand: FieldCodec<ProtectedCommand> = {
  write: encodeCommand,
  read: (reader) => decodeCommand(reader) as ProtectedCommand,
};

/** A change that waits, or waited, in images. */
export const proposal = record<Proposal>({
  proposal: integer(),
  command: protectedCommand,
  lowered: list(text()),
  basis: text(),
  state: oneOf(['open', 'applied', 'cancelled', 'expired']),
  madeBy: text(),
  madeAt: integer(),
  idempotencyKey: nullable(text()),
  endsAt: integer(),
  isAlone: flag,
  decidedBy: nullable(text()),
  decidedAt: nullable(integer()),
});
