/**
 * `node tools/draw-floors.mjs [--check]`: the pictures of the floors in ARCHITECTURE.md, of `src` and of the engine,
 * from `tools/floors.cjs`.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runGenerator } from './generated-sections.mjs';
import { filesBelow, root } from './prepare.mjs';

const { mayImport, engineMayImport } = createRequire(import.meta.url)('./floors.cjs');

const identifier = (floor) => floor.replaceAll('-', '_');
const arrow = (from, to) => `  ${identifier(from)} --> ${identifier(to)}`;

/** Floors that have files, each with those that it may import. */
const presentFloors = (floors, folder) =>
  new Map(Object.entries(floors).filter(([floor]) => filesBelow(join(root, folder, floor)).length > 0));

/** Arrows to the floors below that are not already reached through another floor: those that say something. */
function directArrows(floors) {
  return [...floors].flatMap(([floor, below]) => {
    const reached = new Set(
      below.filter((other) => isBelow(floors, floor, other)).flatMap((other) => floors.get(other)),
    );
    return below
      .filter((other) => !reached.has(other) || !isBelow(floors, floor, other))
      .map((other) => arrow(floor, other));
  });
}

/** Whether `other` is listed before `floor`. */
const isBelow = (floors, floor, other) => [...floors.keys()].indexOf(other) < [...floors.keys()].indexOf(floor);

function picture(boxes, arrows) {
  return [
    '```mermaid',
    'flowchart TD',
    ...boxes.map((floor) => `  ${identifier(floor)}["${floor}"]`),
    ...arrows,
    '```',
  ];
}

function table(floors, first = []) {
  const rows = [...floors].map(([floor, below]) => `| \`${floor}\` | ${listOf(below)} |`);
  return ['| floor | may import |', '| --- | --- |', ...first, ...rows];
}

const listOf = (floors) => floors.map((floor) => `\`${floor}\``).join(', ') || 'nothing';

const floors = presentFloors(mayImport, 'src');
const belowMain = [...floors].filter(([, below]) => !below.includes('main'));
const tops = belowMain
  .map(([floor]) => floor)
  .filter((floor) => belowMain.every(([, below]) => !below.includes(floor)));
const inSource = [
  ...picture(['main', ...floors.keys()], [...tops.map((floor) => arrow('main', floor)), ...directArrows(floors)]),
  '',
  ...table(floors, ['| `main` | every floor, and alone the adapters behind the ports |']),
];
const inside = presentFloors(engineMayImport, join('src', 'engine'));
const inEngine = [...picture([...inside.keys()], directArrows(inside)), '', ...table(inside)];

runGenerator('draw-floors.mjs', [
  { document: 'ARCHITECTURE.md', name: 'floors', content: inSource.join('\n') },
  { document: 'ARCHITECTURE.md', name: 'engine-floors', content: inEngine.join('\n') },
]);
