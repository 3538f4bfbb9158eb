/**
 * Rules that need types: in `engine` and `model` nothing an outsider can see may depend on the order in which a Map
 * or Set was filled, and text never becomes a number unchecked. A loop whose order cannot be seen says so in a
 * comment that starts with `any order:` on the line before, with the reason; one whose order is part of the state and
 * of its image, in one that starts with `stored order:`.
 */
import { join } from 'node:path';
import ts from 'typescript';

const unordered = /^(Map|Set|ReadonlyMap|ReadonlySet|MapIterator|SetIterator|WeakMap)$/;

/** Breaches of every deterministic file below `root`, by path. */
export function checkOrder(root, paths) {
  const core = paths.filter((path) => /^src\/(engine|model)\//.test(path) && !path.endsWith('.test.ts'));
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config;
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const program = ts.createProgram(
    core.map((path) => join(root, path)),
    { ...options, incremental: false, noEmit: true, types: [] },
  );
  const checker = program.getTypeChecker();
  return core.flatMap((path) => {
    const source = program.getSourceFile(join(root, path));
    return source ? breachesOf(source, checker).map((breach) => ({ path, ...breach })) : [];
  });
}

/** Whether a list is sorted where it is made. */
const isSorted = (list) =>
  ts.isPropertyAccessExpression(list.parent) && /^(sort|toSorted)$/.test(list.parent.name.text);

function breachesOf(source, checker) {
  const lines = source.text.split('\n');
  const breaches = [];
  const typeName = (node) => checker.getTypeAtLocation(node).getSymbol()?.name ?? '';
  const report = (node, message) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    if (!/\/\/ (any|stored) order: \S/.test(`${lines[line - 1] ?? ''}${lines[line] ?? ''}`))
      breaches.push({ line: line + 1, message });
  };
  const visit = (node) => {
    if (ts.isForOfStatement(node) && unordered.test(typeName(node.expression)))
      report(node, 'loop in the order a Map or Set was filled');
    if (ts.isSpreadElement(node) && unordered.test(typeName(node.expression)) && !isSorted(node.parent))
      report(node, 'list in the order a Map or Set was filled');
    if (ts.isCallExpression(node)) visitCall(node);
    ts.forEachChild(node, visit);
  };
  const visitCall = (node) => {
    const called = node.expression;
    const [first] = node.arguments;
    if (
      ts.isPropertyAccessExpression(called) &&
      called.name.text === 'forEach' &&
      unordered.test(typeName(called.expression))
    ) {
      report(node, 'loop in the order a Map or Set was filled');
    }
    if (called.getText(source) === 'Array.from' && first && unordered.test(typeName(first)))
      report(node, 'list in the order a Map or Set was filled');
    if (
      called.getText(source) === 'Number' &&
      first &&
      checker.getTypeAtLocation(first).flags & ts.TypeFlags.StringLike
    ) {
      report(node, 'Number(text): decimals are parsed by base/decimal.ts');
    }
  };
  visit(source);
  return breaches;
}
