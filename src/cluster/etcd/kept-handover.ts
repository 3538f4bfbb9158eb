import { z } from 'zod';
import type { CommandKind } from '#model/command.ts';
import type { AccountId, Epoch, Seq, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { BrokenNote, Handover } from '#cluster/command-log.ts';
import { decode, encode } from '#cluster/etcd/kept-values.ts';

const position = z.number().int().nonnegative();
const words = z.string().max(200);

const noteForm = z.object({
  seq: position,
  epoch: position,
  at: position,
  commandKind: words,
  account: position.nullable(),
  invariant: z.string().max(1000),
  node: words,
  builds: z.array(words).max(100),
  notedAt: words,
  voidedTo: position.nullable(),
});
const handoverForm = z.object({ term: position, build: words, since: position, broken: z.array(noteForm).max(100) });

/** A handover as it is kept. */
export const encodeHandover = (handover: Handover): Uint8Array => encode(handover);
/** The handover that is kept under `key`. @throws LogDamaged */
export function decodeHandover(key: string, bytes: Uint8Array): Handover {
  const { term, build, since, broken } = decode(key, bytes, handoverForm);
  return { term: as<Epoch>(term), build, since: as<Seq>(since), broken: broken.map(noteOf) };
}

const noteOf = (kept: z.infer<typeof noteForm>): BrokenNote => ({
  ...kept,
  seq: as<Seq>(kept.seq),
  epoch: as<Epoch>(kept.epoch),
  at: as<TimestampMs>(kept.at),
  commandKind: kept.commandKind as CommandKind,
  account: kept.account === null ? null : as<AccountId>(kept.account),
  voidedTo: kept.voidedTo === null ? null : as<Seq>(kept.voidedTo),
});
