import { z } from 'zod';
import { type ClientKind, clientKinds } from '#model/client-target.ts';
import { bannableRange } from '#http/client-address.ts';
import * as field from '#operator-api/declaration/fields.ts';
import { invalidParameter } from '#operator-api/requests/problems.ts';

/** Whom a ban or a rate limit is about, as the path names it. */
export const clientTarget = z.strictObject({
  kind: field.word(clientKinds, 'What it is about: an address or range, an account, or an API key.'),
  target: field.text('An address or CIDR range, a uid, or an access key.', 64).meta({ examples: ['203.0.113.0/24'] }),
});
/** As requests name it, not yet in its normal form. */
export type ClientTarget = z.output<typeof clientTarget>;

interface NormalForm {
  readonly normal: string;
  readonly fault: string | null;
}

const matching =
  (schema: z.ZodType, fault: string) =>
  (sent: string): NormalForm => ({ normal: sent, fault: schema.safeParse(sent).success ? null : fault });

const normalForms: Readonly<Record<ClientKind, (sent: string) => NormalForm>> = {
  address: bannableRange,
  account: matching(z.string().regex(/^[1-9]\d{0,8}$/), 'must be the uid of an account'),
  key: matching(field.accessKey(), 'must be an access key'),
};

/** The normal form of a target. @throws Problem naming `target`. */
export function normalTarget({ kind, target }: ClientTarget): string {
  const { fault, normal } = normalForms[kind](target);
  if (fault !== null) throw invalidParameter('target', fault);
  return normal;
}
