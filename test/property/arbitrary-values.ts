import fc from 'fast-check';
import { ClientOrderId } from '#model/client-order-id.ts';
import type { Content, FieldCodec } from '#model/codec/field-codec.ts';

const small = fc.oneof({ maxDepth: 1 }, fc.nat(200), fc.nat(), fc.maxSafeNat());
const signed = fc.oneof(small, fc.integer(), fc.maxSafeInteger());
const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('', '\ud800', '€', 'x'.repeat(300)));
const usualId = fc.string({ unit: fc.constantFrom(...'abzABZ019_-'), minLength: 1, maxLength: 32 });
const clientId = fc.oneof({ weight: 4, arbitrary: usualId }, text);
const amount = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

/** Every value that a content allows, not only what an exchange would send: a codec must not care. */
function arbitraryContent(content: Content): fc.Arbitrary<unknown> {
  switch (content.kind) {
    case 'integer':
      return content.least < 0 ? signed : small;
    case 'amount':
      return amount;
    case 'text':
      return text;
    case 'flag':
      return fc.boolean();
    case 'clientOrderId':
      return clientId.map((id) => ClientOrderId.of(id));
    case 'constant':
      return fc.constant(content.value);
    case 'oneOf':
      return fc.constantFrom(...content.words);
    case 'nullable':
      return fc.option(arbitraryContent(content.of), { nil: null });
    case 'list':
      return fc.array(arbitraryContent(content.of), { maxLength: 8 });
    case 'either':
      return fc.oneof(...content.of.map(arbitraryContent));
    case 'record':
      return fc.record(
        Object.fromEntries(
          Object.entries(content.members).map(([name, codec]) => [name, arbitraryContent(codec.content)]),
        ),
      );
  }
}

/** Every value that the type of a codec allows. */
export const arbitraryOf = <Value>(codec: FieldCodec<Value>): fc.Arbitrary<Value> =>
  arbitraryContent(codec.content) as fc.Arbitrary<Value>;
