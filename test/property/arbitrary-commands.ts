import fc from 'fast-check';
import { orderRequest } from '#model/codec/order-codec.ts';
import { text } from '#model/codec/field-codec.ts';
import { codecOfKind } from '#model/command-codec.ts';
import type { Command, CommandKind, PlainKind } from '#model/command.ts';
import { arbitraryOf } from './arbitrary-values.ts';

/** Orders with any content that their type allows. */
export const arbitraryOrder = arbitraryOf(orderRequest);

const plainKinds = Object.keys(codecOfKind) as PlainKind[];
const arbitraryPlain = (kind: PlainKind): fc.Arbitrary<Command> => arbitraryOf<Command>(codecOfKind[kind]);

/** Commands of one kind with any content that its type allows. */
export const arbitraryCommandOf = (kind: CommandKind): fc.Arbitrary<Command> =>
  kind !== 'operate'
    ? arbitraryPlain(kind)
    : (fc.record({
        kind: fc.constant(kind),
        actor: arbitraryOf(text()),
        idempotencyKey: fc.option(arbitraryOf(text())),
        command: fc.oneof(...plainKinds.map(arbitraryPlain)),
      }) as fc.Arbitrary<Command>);

export const commandKinds: readonly CommandKind[] = [...plainKinds, 'operate'];

/** Commands of every kind. */
export const arbitraryCommand: fc.Arbitrary<Command> = fc.oneof(...commandKinds.map(arbitraryCommandOf));
