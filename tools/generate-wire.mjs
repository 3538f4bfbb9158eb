/**
 * `node tools/generate-wire.mjs [--check]`: from `src/api/wire/push.proto`, the TypeScript of its messages
 * (`src/streams/wire/push_pb.ts`, by buf and protoc-gen-es) and its text as a module, which the server shows and serves
 * (`src/api/wire/push-proto.ts`). With `--check` it only compares and exits 1 when one is stale. The generators are not
 * among the project's packages, because buf's binaries are large and seldom needed: it says what to install.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { runGenerator } from './generated-sections.mjs';
import { root } from './prepare.mjs';

const folder = join(root, 'src', 'api', 'wire');
const bin = join(root, 'node_modules', '.bin');

/** The messages as TypeScript. @throws Error with what buf said. */
function messagesOf() {
  const out = mkdtempSync(join(tmpdir(), 'bourse-wire-'));
  const template = { version: 'v2', plugins: [{ local: 'protoc-gen-es', out, opt: 'target=ts' }] };
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
  const { status, error, stderr } = spawnSync(
    join(bin, 'buf'),
    ['generate', folder, '--template', JSON.stringify(template)],
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

/** The schema's text as a module. */
function textModuleOf(proto) {
  const escaped = proto.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('$', '\\$');
  return `// @generated from push.proto by tools/generate-wire.mjs
/** The schema of pushes, as it is served for download and read by the AsyncAPI document. */
export const pushProto = \`${escaped}\`;
`;
}

runGenerator('generate-wire.mjs', [
  { document: 'src/streams/wire/push_pb.ts', content: messagesOf() },
  { document: 'src/api/wire/push-proto.ts', content: textModuleOf(readFileSync(join(folder, 'push.proto'), 'utf8')) },
]);
