import '#main/configuration/code-settings.ts';
import { groupOf } from './groups.ts';

/**
 * Runs the group that the arguments name (name, `quick` or `full`, samples, prefix, minutes or nothing); its lines go
 * to the parent.
 */
const [name = '', size = 'quick', samples = '3', only = '', minutes = ''] = process.argv.slice(2);
const group = groupOf((await import(`./${name}.js`)) as object);
await group.run(
  { quick: size === 'quick', samples: Number(samples), minutes: minutes === '' ? null : Number(minutes), only },
  (line) => {
    if (line.name.startsWith(only)) process.send?.(line);
  },
);
process.disconnect?.();
