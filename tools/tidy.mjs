/**
 * `node tools/tidy.mjs [folder]`: the rules of the project that neither the compiler, the linter nor the import graph
 * can see. Prints `path:line rule: message` per breach and exits 1 if there is one. No inline exceptions.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { filesBelow, root as ownRoot } from './prepare.mjs';
import { readRules } from './rules.mjs';
import { checkVocabulary } from './tidy/glossary-rules.mjs';
import { checkOrder } from './tidy/order-rules.mjs';
import { syntaxRules } from './tidy/syntax-rules.mjs';
import { textRules } from './tidy/text-rules.mjs';

const folders = ['src', 'web', 'test', 'tools', 'benchmarks', 'docs'];
const rootFiles = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'vitest.config.ts',
  '.dependency-cruiser.cjs',
];

/** Reads one file into what the rules look at. */
function readSource(root, path, isRule) {
  const text = readFileSync(join(root, path), 'utf8');
  const isGenerated = /[_.]pb\.ts$/.test(path) || text.slice(0, 2000).includes('@generated');
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const source =
    /\.(tsx?|mjs)$/.test(path) && !isGenerated ? ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true) : null;
  return { path, text, lines, isGenerated, source, isRule, exists: (target) => existsSync(join(root, target)) };
}

/** Every breach below `root`, in the order of files and lines. */
export function findBreaches(root) {
  const paths = folders
    .flatMap((folder) => filesBelow(join(root, folder), (path) => /\.(tsx?|mjs|cjs|md)$/.test(path)))
    .map((path) => relative(root, path))
    .concat(rootFiles.filter((path) => existsSync(join(root, path))));
  const ruleIds = new Set(readRules(root).flatMap(({ rules }) => rules.map(({ id }) => id)));
  const breaches = paths.flatMap((path) => {
    const file = readSource(root, path, (id) => ruleIds.has(id));
    const rules = [...textRules, checkVocabulary, ...(file.source ? syntaxRules : [])];
    return rules.flatMap((rule) => rule(file).map((breach) => ({ path, ...breach })));
  });
  return [...breaches, ...checkOrder(root, paths)];
}

if (process.argv[1] === import.meta.filename) {
  const breaches = findBreaches(resolve(process.argv[2] ?? ownRoot));
  for (const { path, line, message } of breaches) console.log(`${path}:${line} ${message}`);
  process.exitCode = breaches.length > 0 ? 1 : 0;
}
