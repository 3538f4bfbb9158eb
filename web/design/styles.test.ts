import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const web = join(import.meta.dirname, '..');

/** Selectors that a stylesheet gives rules for. */
function selectorsOf(file: string): ReadonlySet<string> {
  const text = readFileSync(join(web, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
  const heads = Array.from(text.matchAll(/([^{};]+)\{/g), ([, head = '']) => head);
  const names = heads.flatMap((head) => head.split(',')).map((name) => name.trim());
  return new Set(names.filter((name) => name.startsWith('.')));
}

/** Stylesheets that every page of a port has from its beginning, in one order: a later one may amend an earlier. */
function entryStyles(): ReadonlySet<string> {
  const entries = ['main.tsx', 'office/main.tsx'].map((file) => readFileSync(join(web, file), 'utf8'));
  return new Set(
    entries.flatMap((text) => Array.from(text.matchAll(/^import '#web\/(.*\.css)'/gm), ([, file = '']) => file)),
  );
}

test('no class has rules in two stylesheets: those of a page stay when the viewer goes on to another', () => {
  const entry = entryStyles();
  expect(entry.size).toBeGreaterThan(5);
  const files = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'));
  expect(files.length).toBeGreaterThan(10);
  const owners = new Map<string, string>();
  const twice: string[] = [];
  for (const file of files)
    for (const name of selectorsOf(file)) {
      const other = owners.get(name);
      const isOrdered = other !== undefined && entry.has(other) && entry.has(file);
      if (other !== undefined && !isOrdered) twice.push(`${name}: ${other}, ${file}`);
      owners.set(name, file);
    }
  expect(twice).toEqual([]);
});
