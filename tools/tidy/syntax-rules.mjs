/** Rules about the shape of code, which need its syntax tree. Each answers the breaches of one source file. */
import ts from 'typescript';

const functionLinesMax = 70;
const isTest = (path) => /\.(test|contract)\.ts$/.test(path) || path.startsWith('test/');
const isCore = (path) => /^src\/(engine|model)\//.test(path) && !isTest(path);
const isServer = (path) => path.startsWith('src/') && !isTest(path);

/** Names that would let time, chance, the machine or the locale into the deterministic floors. */
const coreBans = new Set([
  'Date',
  'performance',
  'crypto',
  'process',
  'console',
  'Promise',
  'Intl',
  'globalThis',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'parseFloat',
  'parseInt',
  'fetch',
  'Atomics',
  'WeakRef',
  'FinalizationRegistry',
]);
const coreMemberBans = /^(toLocale\w*|localeCompare|toFixed|toPrecision|toExponential)$/;
const vagueNames = /(Service|Manager|Processor|Controller|Impl|Helper|Helpers|Utils?)$/;

const lineOf = (source, node) => source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
const linesOf = (source, node) => source.getLineAndCharacterOfPosition(node.end).line + 2 - lineOf(source, node);

function walk(node, visit) {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

/** Breaches found by looking at every node: `judge` answers a message or nothing. */
function judgeNodes({ source }, judge) {
  const breaches = [];
  walk(source, (node) => {
    const message = judge(node);
    if (message) breaches.push({ line: lineOf(source, node), message });
  });
  return breaches;
}

const isFunction = (node) =>
  (ts.isFunctionDeclaration(node) ||
    ts.isFunctionExpression(node) ||
    ts.isArrowFunction(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isConstructorDeclaration(node) ||
    ts.isAccessor(node)) &&
  node.body !== undefined;

/** Whether an identifier stands for a value of that name, not for a member, a type or a property key. */
function isValueUse(node) {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent) || ts.isPropertyDeclaration(parent))
    return parent.name !== node;
  if (ts.isMethodDeclaration(parent) || ts.isMethodSignature(parent) || ts.isParameter(parent)) return false;
  return !ts.isTypeReferenceNode(parent) && !ts.isImportSpecifier(parent) && !ts.isQualifiedName(parent);
}

const isMember = (node, object, member) =>
  ts.isPropertyAccessExpression(node) && node.expression.getText() === object && node.name.text === member;

const isCalled = (node) => ts.isCallExpression(node.parent) && node.parent.expression === node;

/** A function is at most 70 lines; the lines of functions inside it are their own. */
function checkFunctionLength(file) {
  const { source } = file;
  const ownLines = (node) => {
    let nested = 0;
    const subtract = (child) => {
      if (isFunction(child) && linesOf(source, child) > 1) nested += linesOf(source, child) - 1;
      else ts.forEachChild(child, subtract);
    };
    ts.forEachChild(node, subtract);
    return linesOf(source, node) - nested;
  };
  return judgeNodes(file, (node) => {
    const lines = isFunction(node) ? ownLines(node) : 0;
    return lines > functionLinesMax && `function of ${lines} lines; ${functionLinesMax} at most`;
  });
}

/** Engine and model see no time, chance, machine, locale, and never wait. */
function checkCore(file) {
  if (!isCore(file.path)) return [];
  return judgeNodes(file, (node) => {
    if (ts.isIdentifier(node) && coreBans.has(node.text) && isValueUse(node))
      return `${node.text} in a deterministic floor`;
    if (ts.isTypeReferenceNode(node) && node.typeName.getText() === 'Promise')
      return 'Promise in a deterministic floor';
    if (ts.isPropertyAccessExpression(node) && coreMemberBans.test(node.name.text))
      return `${node.name.text} in a deterministic floor`;
    if (ts.isAwaitExpression(node) || node.kind === ts.SyntaxKind.AsyncKeyword)
      return 'waiting in a deterministic floor';
    return null;
  });
}

/** Time, chance, environment and number parsing are read in one file each. */
function checkOutsideWorld(file) {
  const { path } = file;
  return judgeNodes(file, (node) => {
    if (isMember(node, 'Math', 'random') && (isServer(path) || isCalled(node)))
      return 'Math.random: chance comes from base/prng.ts, secrets from node:crypto';
    if (ts.isForInStatement(node)) return "for…in: its order is nobody's";
    if (!isServer(path)) return null;
    if (isMember(node, 'process', 'env') && path !== 'src/main/configuration/config.ts')
      return 'process.env outside src/main/configuration/config.ts';
    if (!ts.isIdentifier(node) || !isValueUse(node)) return null;
    if (path !== 'src/base/clock.ts' && (node.text === 'Date' || node.text === 'performance'))
      return `${node.text} outside src/base/clock.ts`;
    if (node.text === 'parseFloat') return 'parseFloat: decimals are parsed by base/decimal.ts';
    return null;
  });
}

/** Imports name their floor: `#folder/file.ts` or `.json`, a package, or a `node:` module. */
function checkImports(file) {
  if (!/^(src|web|test|benchmarks)\//.test(file.path)) return [];
  return judgeNodes(file, (node) => {
    if (!(ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) || !node.moduleSpecifier) return null;
    const target = node.moduleSpecifier.text;
    if (target.startsWith('#'))
      return !/^#[\w/.-]+\.(?:tsx?|css|json)(?:\?worker&url)?$/.test(target) && `import of ${target}: name the file`;
    return /^(src|web)\//.test(file.path) && target.startsWith('.') && `relative import ${target}: use #folder/file.ts`;
  });
}

/** Only erasable syntax, named exports, no swallowed errors, names that say something. */
function checkShape(file) {
  return judgeNodes(file, (node) => {
    if (ts.isEnumDeclaration(node) || ts.isModuleDeclaration(node))
      return !ts.isSourceFile(node.parent) || !isAmbient(node) ? 'enum or namespace' : null;
    if (ts.isExportAssignment(node) && !node.isExportEquals && !/\.config\.ts$/.test(file.path))
      return 'default export';
    if (ts.isDecorator(node)) return 'decorator';
    if (ts.isCatchClause(node) && node.block.statements.length === 0 && !/\/[/*]/.test(node.block.getText()))
      return 'swallowed error: say why in a comment';
    if (ts.isSwitchStatement(node) && isEmptyDefault(node)) return 'empty default: it hides a new case';
    return vagueName(node);
  });
}

const isAmbient = (node) => (node.modifiers ?? []).some((modifier) => modifier.kind === ts.SyntaxKind.DeclareKeyword);
const isEmptyDefault = (node) =>
  node.caseBlock.clauses.some((clause) => ts.isDefaultClause(clause) && clause.statements.length === 0);

function vagueName(node) {
  if (
    !(ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) ||
    !node.name
  )
    return null;
  if (vagueNames.test(node.name.text)) return `${node.name.text}: name what it does`;
  return /^I[A-Z][a-z]/.test(node.name.text) &&
    ts.isInterfaceDeclaration(node) &&
    !/^(Ip|Id|In|Io|If|Is|It)/i.test(node.name.text)
    ? `${node.name.text}: no I-prefix`
    : null;
}

/**
 * What says all by itself: re-exports, `type X = (typeof list)[number]`, `type X = keyof typeof record`, `type X =
 * ValueOf<typeof codec>`, an endpoint (its summary) and the function of a command (whose comment stands where the
 * command is declared).
 */
function explainsItself(statement) {
  if (ts.isExportDeclaration(statement)) return true;
  if (ts.isTypeAliasDeclaration(statement)) {
    return /^((keyof )?\(?typeof \w+\)?(\[(number|keyof typeof \w+)\])?|(Value|Shape)Of<typeof \w+>)$/.test(
      statement.type.getText(),
    );
  }
  if (!ts.isVariableStatement(statement)) return false;
  const { type, initializer } = statement.declarationList.declarations[0];
  return /^CommandFunction</.test(type?.getText() ?? '') || /^endpoint\(/.test(initializer?.getText() ?? '');
}

/** A run of one-line exports without a blank line between them shares the comment above it. */
function continuesRun({ source, text }, index) {
  const [before, statement] = [source.statements[index - 1], source.statements[index]];
  if (!before || linesOf(source, statement) > 1 || linesOf(source, before) > 1) return false;
  if (/\n\s*\n/.test(text.slice(before.end, statement.getStart(source)))) return false;
  return hasDocComment(text, before) || continuesRun({ source, text }, index - 1);
}

const hasDocComment = (text, statement) =>
  (ts.getLeadingCommentRanges(text, statement.pos) ?? []).some((range) => text.startsWith('/**', range.pos));

/** Every exported thing of the server and the tools has a doc comment. */
function checkDocComments(file) {
  const { source, path } = file;
  if (isTest(path) || !/^(src|web|tools)\//.test(path)) return [];
  return source.statements.flatMap((statement, index) => {
    const isExported = (statement.modifiers ?? []).some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported || explainsItself(statement) || isOverloadBody(statement, source)) return [];
    if (hasDocComment(file.text, statement) || continuesRun(file, index)) return [];
    const name = statement.name?.text ?? statement.declarationList?.declarations[0]?.name.getText(source) ?? 'export';
    return [{ line: lineOf(source, statement), message: `${name} is exported without a doc comment` }];
  });
}

function isOverloadBody(statement, source) {
  if (!ts.isFunctionDeclaration(statement)) return false;
  return (
    source.statements.find((other) => ts.isFunctionDeclaration(other) && other.name?.text === statement.name?.text) !==
    statement
  );
}

/** What the groups around a test say already. */
function describedBy(node) {
  if (!node.parent) return '';
  const isGroup = ts.isCallExpression(node) && /^describe\b/.test(node.expression.getText());
  const title = isGroup && node.arguments[0] && ts.isStringLiteralLike(node.arguments[0]) ? node.arguments[0].text : '';
  return `${describedBy(node.parent)} ${title}`.trim();
}

/** Test names, with those of the groups around them, are statements. */
function checkTestNames(file) {
  if (!/\.(test|contract)\.ts$/.test(file.path)) return [];
  return judgeNodes(file, (node) => {
    if (!ts.isCallExpression(node) || !/^(test|it)(\.\w+)*$/.test(node.expression.getText())) return null;
    const [first] = node.arguments;
    if (!first || !ts.isStringLiteralLike(first)) return null;
    if (/^(should|test|check|works|verif(y|ies))\b/i.test(first.text))
      return `"${first.text}": a test name states what is true`;
    const said = `${describedBy(node)} ${first.text}`.trim();
    return said.split(/\s+/).length < 3 ? `"${first.text}": a test name is a statement` : null;
  });
}

/** Rules that look at a syntax tree. */
export const syntaxRules = [
  checkFunctionLength,
  checkCore,
  checkOutsideWorld,
  checkImports,
  checkShape,
  checkDocComments,
  checkTestNames,
];
