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

test('no class has rules in two stylesheets: those of a page stay when the viewer goes on to another', () => {
  const files = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'));
  expect(files.length).toBeGreaterThan(10);
  const owners = new Map<string, string>();
  const twice: string[] = [];
  for (const file of files)
    for (const name of selectorsOf(file)) {
      const other = owners.get(name);
      if (other !== undefined) twice.push(`${name}: ${other}, ${file}`);
      owners.set(name, file);
    }
  expect(twice).toEqual([]);
});
