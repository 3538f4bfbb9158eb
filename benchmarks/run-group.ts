import '#main/configuration/code-settings.ts';
import { groupOf } from './groups.ts';
import { type BenchSize, isAsked } from './harness.ts';

/**
 * Runs the group that the arguments name (name, `quick` or `full`, samples, prefixes with commas, minutes or nothing);
 * its lines go to the parent.
 */
const [name = '', size = 'quick', samples = '3', only = '', minutes = ''] = process.argv.slice(2);
const group = groupOf((await import(`./${name}.js`)) as object);
const asked: BenchSize = {
  quick: size === 'quick',
  samples: Number(samples),
  minutes: minutes === '' ? null : Number(minutes),
  only: only.split(','),
};
await group.run(asked, (line) => {
  if (isAsked(line.name, asked)) process.send?.(line);
});
process.disconnect?.();
