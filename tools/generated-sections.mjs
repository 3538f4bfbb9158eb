/**
 * Parts of documents that are written by a program: everything between `<!-- generated NAME -->` and
 * `<!-- end NAME -->`. Edit the source that the part names instead; `npm run check` fails while a part is stale.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

/** The text of a document with one of its generated parts replaced. @throws Error when the marks are missing. */
function replaceSection(text, { name, document, content }) {
  const [opening, closing] = [`<!-- generated ${name} -->`, `<!-- end ${name} -->`];
  const [start, end] = [text.indexOf(opening), text.indexOf(closing)];
  if (start < 0 || end < start) throw new Error(`${document} lacks the marks ${opening} and ${closing}`);
  return `${text.slice(0, start + opening.length)}\n${content.trim()}\n${text.slice(end)}`;
}

/**
 * Writes sections `{ document, name, content }`, or with `check` only compares them. Without `name`, `content` is the
 * whole document. Answers the stale documents.
 */
export function writeSections(sections, { check }) {
  const stale = sections.filter((section) => {
    const path = join(root, section.document);
    const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const after = section.name ? replaceSection(before, section) : `${section.content.trim()}\n`;
    if (!check && after !== before) writeFileSync(path, after);
    return after !== before;
  });
  return stale.map(({ document }) => document);
}

/**
 * As `writeSections`, for commands: `--check` among the arguments compares only and exits 1 when something is stale.
 */
export function runGenerator(command, sections) {
  const check = process.argv.includes('--check');
  const stale = writeSections(sections, { check });
  for (const document of stale) console.log(check ? `${document} is stale; run: node tools/${command}` : document);
  process.exitCode = check && stale.length > 0 ? 1 : 0;
}
