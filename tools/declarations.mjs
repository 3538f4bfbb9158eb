/**
 * Declarations of what the package exports: those of `src/testing`, each file by itself, and the operator API's, which
 * are written out from its catalogue.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

const files = ['testing', 'start-bourse', 'test-exchange', 'operator-problem'];

/** Writes them below `output`, where the code of `src/testing` was put before. */
export async function writeDeclarations(source, output) {
  for (const name of files) {
    const path = join(source, 'testing', `${name}.ts`);
    const { outputText, diagnostics } = ts.transpileDeclaration(readFileSync(path, 'utf8'), {
      fileName: path,
      reportDiagnostics: true,
      compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.NodeNext, isolatedDeclarations: true },
    });
    const [fault] = diagnostics ?? [];
    if (fault !== undefined) throw new Error(`${path}: ${ts.flattenDiagnosticMessageText(fault.messageText, '\n')}`);
    writeFileSync(
      join(output, 'testing', `${name}.d.ts`),
      outputText.replaceAll(/'#testing\/(.+?)\.ts'/g, "'./$1.js'"),
    );
  }
  const written = await import(pathToFileURL(join(output, 'testing', 'operator-declarations.js')).href);
  writeFileSync(join(output, 'testing', 'operator-calls.d.ts'), written.operatorDeclarations());
}
