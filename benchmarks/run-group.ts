import { groupOf } from './groups.ts';

/** Runs the group named by the arguments (name, `quick` or `full`, samples, prefix) and sends its lines to the parent. */
const [name = '', size = 'quick', samples = '3', only = ''] = process.argv.slice(2);
const group = groupOf((await import(`./${name}.js`)) as object);
await group.run({ quick: size === 'quick', samples: Number(samples) }, (line) => {
  if (line.name.startsWith(only)) process.send?.(line);
});
process.disconnect?.();
