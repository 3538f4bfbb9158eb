/**
 * Banned words: the column `never` of docs/glossary.md, in file names, identifiers and comments of code. A plain entry
 * is banned wherever it is a word or a part of a name. An entry in backticks is banned as a name only, because its
 * parts are plain English: one of several parts is found in any case and within longer names, one of a single part as
 * the whole name in exactly this case.
 */
import { readFileSync } from 'node:fs';
import ts from 'typescript';

const glossary = new URL('../../docs/glossary.md', import.meta.url);

const partsOf = (name) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== '');

/** Entries of the column `never` of every table, each with the word to use instead. */
function readBannedWords(text) {
  const banned = [];
  let column = -1;
  for (const line of text.split('\n')) {
    const cells = line.startsWith('|') ? line.split('|').map((cell) => cell.trim()) : [];
    if (cells.length === 0) column = -1;
    else if (column < 0) column = cells.indexOf('never');
    else if (!/^-+$/.test(cells[1])) {
      const entries = (cells[column] ?? '').split(',').map((entry) => entry.trim());
      for (const entry of entries.filter((each) => each !== '')) {
        const name = entry.replaceAll('`', '');
        banned.push({ name, parts: partsOf(name), isNameOnly: entry.startsWith('`'), instead: cells[1] });
      }
    }
  }
  return banned;
}

let bannedWords = null;

const hasRun = (parts, run) => parts.some((_, index) => run.every((part, offset) => parts[index + offset] === part));

function findBanned(name, isProse) {
  const parts = partsOf(name);
  return bannedWords.find((word) => {
    if (!word.isNameOnly) return hasRun(parts, word.parts);
    return word.parts.length === 1 ? !isProse && name === word.name : hasRun(parts, word.parts);
  });
}

/** The text of a comment on this line; empty without one. */
const commentOn = (line) => /^\s*(?:\/\/|\/?\*+)\s?(.*)$/.exec(line)?.[1] ?? /\s\/\/\s(.*)$/.exec(line)?.[1] ?? '';

function namesOf(source) {
  const names = [];
  const visit = (node) => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      names.push({ name: node.text.replace('#', ''), position: node.getStart(source) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

/** No private vocabulary: words that the glossary bans do not come back. */
export function checkVocabulary({ path, lines, source, isGenerated }) {
  if (!/^(src|web|test|tools|benchmarks)\//.test(path) || isGenerated) return [];
  bannedWords ??= readBannedWords(readFileSync(glossary, 'utf8'));
  const breaches = [];
  const report = (line, name, isProse) => {
    const word = findBanned(name, isProse);
    if (word !== undefined)
      breaches.push({ line, message: `${name}: the glossary says ${word.instead}, never ${word.name}` });
  };
  for (const part of path.split('/')) report(1, part, false);
  lines.forEach((text, index) => {
    for (const [word] of commentOn(text).matchAll(/[A-Za-z][\w-]*/g)) report(index + 1, word, true);
  });
  for (const { name, position } of source === null ? [] : namesOf(source)) {
    report(source.getLineAndCharacterOfPosition(position).line + 1, name, false);
  }
  return breaches;
}
