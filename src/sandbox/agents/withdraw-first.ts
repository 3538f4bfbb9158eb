import type { Command, CommandOf } from '#model/command.ts';
import type { SymbolId } from '#model/units.ts';

/**
 * The same changes of ladders, with all that they cancel in some markets before all that they place: where prices move
 * fast, a maker would else trade with what the next one is about to cancel.
 */
export function withdrawFirst(commands: readonly Command[], markets: ReadonlySet<SymbolId>): readonly Command[] {
  const isSplit = (command: Command): command is CommandOf<'requote'> =>
    command.kind === 'requote' && markets.has(command.symbol) && command.cancel.length > 0;
  const withdrawn = commands.filter(isSplit).map((command): Command => ({ ...command, place: [] }));
  if (withdrawn.length === 0) return commands;
  const placed = commands.flatMap((command): readonly Command[] => {
    if (!isSplit(command)) return [command];
    return command.place.length === 0 ? [] : [{ ...command, cancel: [] }];
  });
  return [...withdrawn, ...placed];
}
