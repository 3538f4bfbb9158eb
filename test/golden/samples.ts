import { ClientOrderId } from '#model/client-order-id.ts';
import type { Content } from '#model/codec/field-codec.ts';

/** A number that depends on the name alone, so that two members that changed places give other bytes. */
const numberOf = (name: string): number =>
  [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 997, 7);

/**
 * Values of what a codec holds, the same on every machine: every word of a set, every form that a field can have. The
 * first of a list of samples is a usual one. `name`: of the member that holds it.
 */
export function samplesOf(content: Content, name: string): readonly unknown[] {
  const seed = numberOf(name);
  switch (content.kind) {
    case 'integer':
      return [seed, Number.MAX_SAFE_INTEGER - seed, Math.max(content.least, -seed)];
    case 'amount':
      return [BigInt(seed), 2n ** 62n + BigInt(seed), -BigInt(seed)];
    case 'text':
      return [name, `${name} für später ₿`, ''];
    case 'flag':
      return [true, false];
    case 'clientOrderId':
      return [`My-${name}_42`, `${name} ₿`].map((id) => ClientOrderId.of(id));
    case 'constant':
      return [content.value];
    case 'oneOf':
      return content.words;
    case 'nullable':
      return [...samplesOf(content.of, name), null];
    case 'list':
      return [samplesOf(content.of, name).slice(0, 3), []];
    case 'either':
      return content.of.flatMap((shape) => samplesOf(shape, name));
    case 'record':
      return samplesOfRecord(
        Object.entries(content.members).map(([member, codec]) => [member, samplesOf(codec.content, member)]),
      );
  }
}

/** As many as the member with the most samples has; the others begin again. */
function samplesOfRecord(members: readonly (readonly [string, readonly unknown[]])[]): readonly unknown[] {
  const count = Math.max(1, ...members.map(([, samples]) => samples.length));
  return Array.from({ length: count }, (_, index) =>
    Object.fromEntries(members.map(([member, samples]) => [member, samples[index % samples.length]])),
  );
}
