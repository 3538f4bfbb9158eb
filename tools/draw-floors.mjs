/** `node tools/draw-floors.mjs [--check]`: the picture of the floors in ARCHITECTURE.md, from `tools/floors.cjs`. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runGenerator } from './generated-sections.mjs';
import { filesBelow, root } from './prepare.mjs';

const { mayImport } = createRequire(import.meta.url)('./floors.cjs');

const present = Object.keys(mayImport).filter((floor) => filesBelow(join(root, 'src', floor)).length > 0);

/** Floors below that are not already reached through another floor: the arrows that say something. */
function directlyBelow(floor) {
  const below = mayImport[floor].filter((other) => present.includes(other));
  const reached = new Set(below.flatMap((other) => mayImport[other]));
  return below.filter((other) => !reached.has(other));
}

const identifier = (floor) => floor.replaceAll('-', '_');
const boxes = ['main', ...present].map((floor) => `  ${identifier(floor)}["${floor}"]`);
const tops = present.filter((floor) => !present.some((other) => mayImport[other].includes(floor)));
const arrows = [
  ...tops.map((floor) => `  main --> ${identifier(floor)}`),
  ...present.flatMap((floor) => directlyBelow(floor).map((other) => `  ${identifier(floor)} --> ${identifier(other)}`)),
];
const listOf = (floor) =>
  mayImport[floor]
    .filter((other) => present.includes(other))
    .map((other) => `\`${other}\``)
    .join(', ') || 'nothing';
const picture = ['```mermaid', 'flowchart TD', ...boxes, ...arrows, '```'];
const table = [
  '| floor | may import |',
  '| --- | --- |',
  '| `main` | every floor, and alone the adapters behind the ports |',
  ...present.map((floor) => `| \`${floor}\` | ${listOf(floor)} |`),
];

runGenerator('draw-floors.mjs', [
  { document: 'ARCHITECTURE.md', name: 'floors', content: [...picture, '', ...table].join('\n') },
]);
