import fc from 'fast-check';
import { orderRequest } from '#model/codec/order-codec.ts';
import { codecOfKind } from '#model/command-codec.ts';
import { acting, type Command, type CommandKind, type PlainKind } from '#model/command.ts';
import { arbitraryOf } from './arbitrary-values.ts';

/** Orders with any content that their type allows. */
export const arbitraryOrder = arbitraryOf(orderRequest);

const plainKinds = Object.keys(codecOfKind) as PlainKind[];
const arbitraryPlain = (kind: PlainKind): fc.Arbitrary<Command> => arbitraryOf<Command>(codecOfKind[kind]);

/** Commands of one kind with any content that its type allows. */
export const arbitraryCommandOf = (kind: CommandKind): fc.Arbitrary<Command> =>
  kind !== 'operate'
    ? arbitraryPlain(kind)
    : fc
        .tuple(arbitraryOf(acting), fc.oneof(...plainKinds.map(arbitraryPlain)))
        .map(([by, command]) => ({ kind, ...by, command }) as Command);

export const commandKinds: readonly CommandKind[] = [...plainKinds, 'operate'];

/** Commands of every kind. */
export const arbitraryCommand: fc.Arbitrary<Command> = fc.oneof(...commandKinds.map(arbitraryCommandOf));
