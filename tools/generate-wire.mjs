/**
 * `node tools/generate-wire.mjs [--check]`: from the schema of pushes (`src/websocket/wire/push-proto.ts`), the
 * TypeScript of its messages (`src/websocket/wire/push_pb.ts`, by buf and protoc-gen-es). With `--check` it compares
 * and exits 1 when that is stale. The generators are not among the project's packages, because buf's binaries are large
 * and seldom needed: it says what to install.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { runGenerator } from './generated-sections.mjs';
import { root } from './prepare.mjs';

const bin = join(root, 'node_modules', '.bin');

/** The schema: what stands between the backticks of its module. */
function schemaText() {
  const module = readFileSync(join(root, 'src', 'api', 'wire', 'push-proto.ts'), 'utf8');
  return module.slice(module.indexOf(' = `') + 4, module.lastIndexOf('`'));
}

/** The messages of a schema as TypeScript. @throws Error with what buf said. */
function messagesOf(schema) {
  const out = mkdtempSync(join(tmpdir(), 'bourse-wire-'));
  writeFileSync(join(out, 'push.proto'), schema);
  const template = { version: 'v2', plugins: [{ local: 'protoc-gen-es', out, opt: 'target=ts' }] };
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
  const { status, error, stderr } = spawnSync(
    join(bin, 'buf'),
    ['generate', out, '--template', JSON.stringify(template)],
    { env, encoding: 'utf8' },
  );
  try {
    if (error?.code === 'ENOENT') {
      throw new Error('first run: npm install --no-save @bufbuild/buf@1.75.0 @bufbuild/protoc-gen-es@2.13.0');
    }
    if (status !== 0) throw new Error(`buf could not generate: ${error?.message ?? stderr}`);
    return readFileSync(join(out, 'push_pb.ts'), 'utf8');
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

runGenerator('generate-wire.mjs', [{ document: 'src/websocket/wire/push_pb.ts', content: messagesOf(schemaText()) }]);
