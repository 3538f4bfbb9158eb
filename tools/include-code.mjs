/**
 * `node tools/include-code.mjs [--check]`: the code in docs/guides, which is that of files in examples, also those of a
 * client: between `<!-- generated examples/FILE -->` and `<!-- end examples/FILE -->` stands the whole file as a block
 * of its language.
 */
import { readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { runGenerator } from './generated-sections.mjs';
import { filesBelow, root } from './prepare.mjs';

const languages = { '.mjs': 'js', '.py': 'python', '.sh': 'bash' };
const fence = '```';

const guides = filesBelow(join(root, 'docs', 'guides'), (path) => path.endsWith('.md'));
const sections = guides.flatMap((path) => {
  const names = [...readFileSync(path, 'utf8').matchAll(/<!-- generated ((?:clients\/\w+\/)?examples\/\S+) -->/g)].map(
    ([, name]) => name,
  );
  return names.map((name) => {
    const code = readFileSync(join(root, name), 'utf8').trimEnd();
    const content = `${fence}${languages[extname(name)]}\n${code}\n${fence}`;
    return { document: relative(root, path), name, content };
  });
});
runGenerator('include-code.mjs', sections);
