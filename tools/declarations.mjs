/**
 * Declarations of what the package exports: those of `src/testing` and `src/client`, each file by itself, and the
 * operator API's, which are written out from its catalogue.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

const files = [
  ...['client', 'bourse-client', 'bourse-error', 'client-options', 'endpoint-calls'].map((name) => `client/${name}`),
  ...['testing', 'start-bourse', 'test-exchange', 'operator-problem'].map((name) => `testing/${name}`),
  ...['run-scenario', 'scenario-run'].map((name) => `testing/${name}`),
];

/** Writes them below `output`, where the code of `src/testing` and `src/client` was put before. */
export async function writeDeclarations(source, output) {
  for (const name of files) {
    const path = join(source, `${name}.ts`);
    const { outputText, diagnostics } = ts.transpileDeclaration(readFileSync(path, 'utf8'), {
      fileName: path,
      reportDiagnostics: true,
      compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.NodeNext, isolatedDeclarations: true },
    });
    const [fault] = diagnostics ?? [];
    if (fault !== undefined) throw new Error(`${path}: ${ts.flattenDiagnosticMessageText(fault.messageText, '\n')}`);
    writeFileSync(
      join(output, `${name}.d.ts`),
      outputText.replaceAll(/'#(client|testing)\/(.+?)\.ts'/g, "'../$1/$2.js'"),
    );
  }
  const written = await import(pathToFileURL(join(output, 'testing', 'operator-declarations.js')).href);
  writeFileSync(join(output, 'testing', 'operator-calls.d.ts'), written.operatorDeclarations());
}
