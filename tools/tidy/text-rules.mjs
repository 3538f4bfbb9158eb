/** Rules about names, sizes and lines, which need no parser. Each answers the breaches of one file. */
import { idsIn, longIdsIn } from '../rules.mjs';

const bannedNames = new Set([
  'utils',
  'util',
  'helpers',
  'helper',
  'common',
  'misc',
  'lib',
  'shared',
  'types',
  'constants',
  'core',
]);
const declarativeLists = [
  /^src\/public-api\/.*-endpoints\.ts$/,
  /^src\/http\/errors\.ts$/,
  /^src\/main\/configuration-schema\.ts$/,
  /(^|\/)limits\.ts$/,
  /^test\/spec\//,
];
const lineMax = 120;
const fileLinesMax = 400;
const listLinesMax = 600;

/** A test's title is one string, however long the statement. */
const testTitle = /^\s*(test|describe)\(['"`]/;

const isCode = (path) => /\.(tsx?|mjs|cjs)$/.test(path);
const isDocument = (path) => path.endsWith('.md');

/** File and folder names: kebab-case, named for the thing they define. */
export function checkNames({ path, isGenerated }) {
  if (isGenerated || !/^(src|web|test|tools|benchmarks|docs)\//.test(path)) return [];
  const breaches = [];
  for (const part of path.split('/')) {
    const stem = part.replace(/^\./, '').replace(/(\.(test|contract|pb|config|d))?\.[a-z0-9]+$/, '');
    if (bannedNames.has(stem))
      breaches.push({ line: 1, message: `"${stem}" names nothing; put it beside the noun it serves` });
    if (isCode(path) && !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(stem))
      breaches.push({ line: 1, message: `"${part}" is not kebab-case` });
  }
  return breaches;
}

/** At most 400 lines a file (600 for declarative lists), 120 columns a line. */
export function checkSizes({ path, lines, isGenerated }) {
  if (!isCode(path) || isGenerated) return [];
  const most = declarativeLists.some((pattern) => pattern.test(path)) ? listLinesMax : fileLinesMax;
  const breaches = lines.flatMap((text, index) =>
    text.length > lineMax && !testTitle.test(text)
      ? [{ line: index + 1, message: `${text.length} columns; ${lineMax} at most` }]
      : [],
  );
  if (lines.length > most) breaches.push({ line: most, message: `${lines.length} lines; ${most} at most` });
  return breaches;
}

/** No tabs, no trailing blanks, one newline at the end. */
export function checkBlanks({ path, text, lines, isGenerated }) {
  if (isGenerated || !(isCode(path) || isDocument(path))) return [];
  const breaches = [];
  lines.forEach((line, index) => {
    if (line.includes('\t')) breaches.push({ line: index + 1, message: 'tab' });
    if (/[ \t]$/.test(line)) breaches.push({ line: index + 1, message: 'blank at the end of the line' });
  });
  if (!text.endsWith('\n') || text.endsWith('\n\n'))
    breaches.push({ line: lines.length, message: 'ends without exactly one newline' });
  return breaches;
}

/** Nothing half-removed: no open promise without an issue number, no code kept in comments. */
export function checkLeftovers({ path, lines, isGenerated }) {
  if (!isCode(path) || isGenerated) return [];
  return lines.flatMap((text, index) => {
    const comment = /^\s*(?:\/\/|\*)\s?(.*)$/.exec(text)?.[1] ?? /\s\/\/\s(.*)$/.exec(text)?.[1];
    if (comment === undefined) return [];
    if (/\b(TODO|FIXME|XXX|HACK)\b(?!.*#\d)/.test(comment))
      return [{ line: index + 1, message: 'open promise without an issue number' }];
    if (/^\s*\/\//.test(text) && /^(const|let|if|for|return|await|import|export)\b.*[;{]$/.test(comment.trim())) {
      return [{ line: index + 1, message: 'code kept in a comment' }];
    }
    return [];
  });
}

/** What is true on one machine only stays out of the tree. */
export function checkMachinePaths({ path, lines }) {
  if (path.startsWith('tools/tidy')) return [];
  return lines.flatMap((text, index) =>
    /(^|[\s"'`(=])\/(work|home|root|Users|private)\/\w/.test(text)
      ? [{ line: index + 1, message: 'path of one machine' }]
      : [],
  );
}

/** Files that own a table of the engine, or a part of one: they alone know its layout. */
const tableOwners = new Set([
  'src/engine/state/accounts/account-table.ts',
  'src/engine/book/book.ts',
  'src/engine/book/client-ids.ts',
  'src/engine/book/closed-orders.ts',
  'src/engine/book/level-table.ts',
  'src/engine/book/order-table.ts',
  'src/engine/book/price-index.ts',
  'src/engine/ledger/amount-column.ts',
  'src/engine/ledger/balance-table.ts',
  'src/engine/ledger/hold-table.ts',
  'src/engine/state/wallet/final-payments.ts',
]);

/** Fields of the engine's tables are asked for by name, never by their place in a record. */
export function checkTableWords({ path, lines }) {
  if (!path.startsWith('src/engine/') || path.endsWith('.test.ts') || tableOwners.has(path)) return [];
  return lines.flatMap((text, index) =>
    /\b(words|doubles|longs)!?\[/.test(text)
      ? [{ line: index + 1, message: 'place in a table outside the file that owns it' }]
      : [],
  );
}

/** Papers that a reader of this project does not have. Rules are cited by their ids in docs/rules. */
const outsidePapers = new RegExp(
  [
    String.raw`\bDocument \d|\b[Ii]ssue \d|\bthe brief\b|\bdesign paper`,
    String.raw`\b(?:decisions|style|anchors|performance|architecture)\.md`,
    'reference-?facts',
  ].join('|'),
);

/** The project cites only what it contains. */
export function checkOutsidePapers({ path, lines }) {
  if (path === 'CHANGELOG.md') return [];
  return lines.flatMap((text, index) => {
    const name = outsidePapers.exec(text)?.[0];
    return name ? [{ line: index + 1, message: `"${name}" is no part of the project; cite the rule by its id` }] : [];
  });
}

/** Every rule that is cited is in docs/rules; in code also adversarial cases and invariants, such as `E08` and `I1`. */
export function checkCitedRules({ path, lines, isGenerated, isRule }) {
  if (isGenerated) return [];
  const idsOf = /^(src|web|test)\/.*\.tsx?$/.test(path) ? idsIn : longIdsIn;
  return lines.flatMap((text, index) =>
    idsOf(text)
      .filter((id) => !isRule(id))
      .map((id) => ({ line: index + 1, message: `${id} is not in docs/rules` })),
  );
}

/** A document has exactly one title, on its first line. */
export function checkTitles({ path, lines }) {
  if (!isDocument(path)) return [];
  let inFence = false;
  const titles = lines.filter((text) => {
    if (/^\s*```/.test(text)) inFence = !inFence;
    return !inFence && /^# /.test(text);
  });
  if (titles.length === 1 && /^# /.test(lines[0] ?? '')) return [];
  return [{ line: 1, message: `${titles.length} titles; a document begins with its only one` }];
}

/** Links between documents and to files lead somewhere. */
export function checkLinks({ path, lines, exists }) {
  if (!isDocument(path)) return [];
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : '';
  return lines.flatMap((text, index) =>
    [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g)].flatMap(([, target]) =>
      exists(target.startsWith('/') ? target.slice(1) : folder + target)
        ? []
        : [{ line: index + 1, message: `link to ${target}, which does not exist` }],
    ),
  );
}

/** Rules that look at names and lines. */
export const textRules = [
  checkNames,
  checkSizes,
  checkBlanks,
  checkLeftovers,
  checkMachinePaths,
  checkTableWords,
  checkOutsidePapers,
  checkCitedRules,
  checkTitles,
  checkLinks,
];
