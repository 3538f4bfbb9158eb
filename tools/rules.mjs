/** The rules in docs/rules and their ids. docs/rules/README.md describes the format. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { filesBelow } from './prepare.mjs';

const longId = '(?:SPEC|DEC)-[A-Z]+-\\d{2,3}';
const shortId = '[A-G]\\d{2}|I\\d{1,2}';
const ruleLine = new RegExp(`^- (${longId}|${shortId}): (.+?)(?: \\(later: ([a-z-]+)\\))?$`);
const range = /\b([A-I])(\d{1,2}) to \1(\d{1,2})\b/g;

/** Ids like `DEC-ORD-30` in a text, as often as they stand there. */
export const longIdsIn = (text) => text.match(new RegExp(`\\b${longId}\\b`, 'g')) ?? [];

/** Every id in a text of code: long ones, short ones like `E08`, and those of ranges such as `I1 to I9`. */
export function idsIn(text) {
  const ranges = [...text.matchAll(range)].flatMap(([, letter, first, last]) =>
    Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => {
      return letter + String(Number(first) + index).padStart(first.length === last.length ? first.length : 1, '0');
    }),
  );
  return [...longIdsIn(text), ...(text.match(new RegExp(`\\b(?:${shortId})\\b`, 'g')) ?? []), ...ranges];
}

/**
 * The files of docs/rules below `root`, as `{ path, title, rules, faults }`. A rule is `{ id, text, later }`, with
 * `later` undefined when it is done. `faults` are items that are no rules.
 */
export function readRules(root) {
  const isArea = (path) => path.endsWith('.md') && basename(path) !== 'README.md';
  return filesBelow(join(root, 'docs', 'rules'), isArea).map((file) => {
    const lines = readFileSync(file, 'utf8').split('\n');
    const items = lines.filter((line) => line.startsWith('- ')).map((line) => ({ line, match: ruleLine.exec(line) }));
    return {
      path: `rules/${basename(file)}`,
      title: lines[0].replace(/^# /, ''),
      rules: items.filter(({ match }) => match).map(({ match: [, id, text, later] }) => ({ id, text, later })),
      faults: items.filter(({ match }) => !match).map(({ line }) => `${basename(file)}: no rule: ${line}`),
    };
  });
}
