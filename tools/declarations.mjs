/**
 * Declarations of what the package exports: those of `src/testing` and `src/client`, each file by itself, and the
 * operator API's, which are written out from its catalogue.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { filesBelow } from './prepare.mjs';

const testing = [
  ...['testing', 'start-bourse', 'test-exchange', 'operator-problem', 'run-scenario', 'scenario-run'],
  ...['use-exchange', 'vitest', 'jest', 'node'],
].map((name) => `testing/${name}.ts`);

/** Writes them below `output`, where the code of `src/testing` and `src/client` was put before. */
export async function writeDeclarations(source, output) {
  const isCode = (path) => !path.endsWith('.test.ts');
  const client = filesBelow(join(source, 'client'), isCode).map((path) => relative(source, path));
  for (const name of [...client, ...testing]) {
    const path = join(source, name);
    const { outputText, diagnostics } = ts.transpileDeclaration(readFileSync(path, 'utf8'), {
      fileName: path,
      reportDiagnostics: true,
      compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.NodeNext, isolatedDeclarations: true },
    });
    const [fault] = diagnostics ?? [];
    if (fault !== undefined) throw new Error(`${path}: ${ts.flattenDiagnosticMessageText(fault.messageText, '\n')}`);
    writeFileSync(
      join(output, name.replace(/\.ts$/, '.d.ts')),
      outputText.replaceAll(/'#(client|testing)\/(.+?)\.ts'/g, "'../$1/$2.js'"),
    );
  }
  const written = await import(pathToFileURL(join(output, 'testing', 'operator-declarations.js')).href);
  writeFileSync(join(output, 'testing', 'operator-calls.d.ts'), written.operatorDeclarations());
}
