/**
 * `node tools/build.mjs`: looks at the types of `src/`, then makes one file under `dist/` of everything that a process,
 * a thread or a tool starts with: V8 knows more about code that stands together (docs/decisions/0012), and one file
 * is read faster than three hundred. Packages of ES modules are part of it, because some consist of hundreds of files;
 * those of CommonJS modules stay where they are, because they look for files of their own. `--without-types`: whoever
 * calls looks at the types of everything anyway.
 */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'rolldown';
import { buildWeb } from './build-web.mjs';
import { writeDeclarations } from './declarations.mjs';
import { filesBelow, root } from './prepare.mjs';

/** What starts by its own name, beside threads: their files end in `-worker.ts`. */
const entries = [
  'main/bourse.ts',
  'main/configuration-schema.ts',
  'main/completion/command-reference.ts',
  'main/metrics/metrics-reference.ts',
  'public-api/documents/reference.ts',
  'public-api/documents/client-reference.ts',
  'operator-api/documents/reference.ts',
  'client/client.ts',
  'testing/testing.ts',
  'testing/vitest.ts',
  'testing/jest.ts',
  'testing/node.ts',
  'testing/operator-declarations.ts',
  'testing/scenario/scenario-json-schema.ts',
];

const esmPackages = /^(?:@noble|@scure|abitype|ox|viem|zod)(?:\/|$)/;
const isOutside = (id) => /^[^#./]/.test(id) && !id.startsWith(root) && !esmPackages.test(id);

/** Files of their own wherever they are used, from a folder beside: their errors are then those of who imports them. */
const apart = { '#client/client.ts': '../client/client.js', '#testing/testing.ts': '../testing/testing.js' };
const filesApart = {
  name: 'files-apart',
  resolveId: (id, importer) =>
    Object.hasOwn(apart, id) && importer !== undefined ? { id: apart[id], external: true } : null,
};

/** Makes one file of each of these, at the same places below `output`; all are below `source`. */
export async function bundle(source, output, files) {
  for (const file of files) {
    await build({
      input: file,
      platform: relative(source, file).startsWith('client/') ? 'browser' : 'node',
      plugins: [filesApart],
      external: isOutside,
      output: {
        file: join(output, relative(source, file).replace(/\.ts$/, '.js')),
        format: 'esm',
        codeSplitting: false,
      },
      logLevel: 'warn',
    });
  }
}

/** Resolves with the exit code of the compiler. */
function compileTypes() {
  const compiler = join(root, 'node_modules', 'typescript-native', 'bin', 'tsc');
  const types = spawn(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
  return new Promise((resolve) => types.on('close', resolve));
}

if (process.argv[1] === import.meta.filename) {
  const typesLooked = process.argv.includes('--without-types') ? 0 : compileTypes();
  const source = join(root, 'src');
  const output = join(root, 'dist');
  const present = filesBelow(source, (path) => path.endsWith('-worker.ts') || entries.includes(relative(source, path)));
  // The pages are made anew only if they changed.
  const old = existsSync(output) ? readdirSync(output).filter((name) => name !== 'web') : [];
  for (const name of old) rmSync(join(output, name), { recursive: true });
  await bundle(source, output, present);
  if (present.includes(join(source, 'testing', 'testing.ts'))) await writeDeclarations(source, output);
  await buildWeb();
  // Linked as a command when packages are installed, perhaps before it was built.
  chmodSync(join(output, 'main', 'bourse.js'), 0o755);
  process.exitCode = await typesLooked;
}
