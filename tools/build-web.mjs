/**
 * Makes the pages of `web/`: `dist/web/public` for the public port and `dist/web/office` for that of operators. Names
 * hold a hash of the content, each file stands there plain and in two codings, and `pages.json` tells the server what
 * to send for which page.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, extname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { filesBelow, root } from './prepare.mjs';

const source = join(root, 'web');
const output = join(root, 'dist', 'web');
const stamp = join(output, '.web-stamp');

/** Where the pages of each port begin. */
const entries = { public: 'main.tsx', office: 'office/main.tsx' };

const types = {
  '.js': 'text/javascript;charset=utf-8',
  '.css': 'text/css;charset=utf-8',
  '.svg': 'image/svg+xml',
};

const brotlied = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Builds one port's pages and answers what the builder knows of each file by its source. */
async function bundlePages(name, entry) {
  const { build } = await import('vite');
  const folder = join(output, name);
  await build({
    root: source,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    worker: { format: 'es' },
    build: {
      outDir: folder,
      emptyOutDir: true,
      manifest: 'sources.json',
      target: 'es2023',
      cssTarget: 'chrome123',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        input: { main: join(source, entry) },
        // Codings and names by the content: files never change once they are served.
        output: { entryFileNames: 'assets/[name]-[hash].js', chunkFileNames: 'assets/[name]-[hash].js' },
      },
    },
  });
  const sources = JSON.parse(readFileSync(join(folder, 'sources.json'), 'utf8'));
  rmSync(join(folder, 'sources.json'));
  return sources;
}

/** Files that a page needs at once: the chunk of a source, what it imports, and their styles. */
function filesOf(sources, key, found = { scripts: new Set(), styles: new Set() }) {
  const { file, imports = [], css = [] } = sources[key];
  if (found.scripts.has(file)) return found;
  found.scripts.add(file);
  for (const style of css) found.styles.add(style);
  for (const each of imports) filesOf(sources, each, found);
  return found;
}

/** What the server has to know: the entry, and for each page what to fetch along with it. */
function describePages(sources, entry) {
  const own = filesOf(sources, entry);
  const pages = {};
  for (const key of Object.keys(sources)) {
    const name = /-page\.tsx$/.test(key) && sources[key].isDynamicEntry ? basename(key, '-page.tsx') : null;
    if (name === null) continue;
    const { scripts, styles } = filesOf(sources, key);
    pages[name] = {
      scripts: [...scripts].filter((file) => !own.scripts.has(file)),
      styles: [...styles].filter((file) => !own.styles.has(file)),
    };
  }
  const [script, ...scripts] = own.scripts;
  return { script, scripts, styles: [...own.styles], pages };
}

/** Puts every file beside itself in two codings, and answers the type of each by its path. */
async function writeCodings(folder) {
  const found = filesBelow(folder, (path) => extname(path) in types);
  await Promise.all(
    found.map(async (path) => {
      const bytes = readFileSync(path);
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
      writeFileSync(`${path}.br`, await brotlied(bytes, { params }));
      writeFileSync(`${path}.gz`, await gzipped(bytes, { level: 9 }));
    }),
  );
  return Object.fromEntries(found.map((path) => [relative(folder, path), types[extname(path)]]));
}

/** Names, sizes and times of all that the pages are made of. */
function digestOfPages() {
  const hash = createHash('sha256');
  const made = [
    'package-lock.json',
    'package.json',
    'tools/build-web.mjs',
    'src/base/decimal.ts',
    'src/http/site-links.ts',
  ];
  const files = [
    ...made.map((name) => join(root, name)),
    ...filesBelow(join(root, 'src', 'client')),
    // Text of a page of the sandbox.
    ...filesBelow(join(root, 'scenarios')),
    ...filesBelow(source),
  ];
  for (const file of files) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${relative(root, file)}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** Makes the pages of all ports, unless they are there and nothing that they are made of changed. */
export async function buildWeb() {
  if (!existsSync(source)) return;
  const digest = digestOfPages();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  for (const [name, entry] of Object.entries(entries)) {
    const sources = await bundlePages(name, entry);
    const files = await writeCodings(join(output, name));
    const pages = { ...describePages(sources, entry), files };
    writeFileSync(join(output, name, 'pages.json'), `${JSON.stringify(pages, null, 2)}\n`);
  }
  writeFileSync(stamp, digest);
}
