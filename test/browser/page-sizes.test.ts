import { readdirSync, readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';

const bytesMax = 200_000;
const built = new URL('../../dist/web/', import.meta.url).pathname;

interface PagesDescription {
  readonly script: string;
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  readonly pages: Readonly<Record<string, { readonly scripts: readonly string[]; readonly styles: readonly string[] }>>;
}

test.each(['public', 'office'])(
  'DEC-WEB-80: files of each page of the %s port are less than 200 kB in brotli',
  (port) => {
    const folder = `${built}${port}`;
    const { script, scripts, styles, pages } = JSON.parse(
      readFileSync(`${folder}/pages.json`, 'utf8'),
    ) as PagesDescription;
    const workers = readdirSync(`${folder}/assets`)
      .filter((name) => /-worker-[^.]+\.js$/.test(name))
      .map((name) => `assets/${name}`);
    const size = (files: Iterable<string>): number =>
      [...files].reduce((sum, file) => sum + statSync(`${folder}/${file}.br`).size, 0);
    const sizes = Object.entries(pages).map(([name, own]) => ({
      name,
      bytes: size(new Set([script, ...scripts, ...styles, ...workers, ...own.scripts, ...own.styles])),
    }));
    expect(sizes.length).toBeGreaterThan(5);
    expect(sizes.filter(({ bytes }) => bytes >= bytesMax)).toEqual([]);
  },
);
