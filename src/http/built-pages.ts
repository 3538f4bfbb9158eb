import { readFile } from 'node:fs/promises';
import { escapeHtml } from '#base/escape-html.ts';
import { SharedPage } from '#http/shared-page.ts';

/** Folder that the build puts pages into, a folder for each port. */
const builtFolder = new URL('../../dist/web/', import.meta.url);

/** Files that a page needs at once, as paths below its folder. */
interface PageFiles {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

/** What the build tells of the pages of a port. */
interface PagesDescription extends PageFiles {
  /** The script that every page begins with. */
  readonly script: string;
  /** By name of the page, what it needs beside that. */
  readonly pages: Readonly<Record<string, PageFiles>>;
  /** Content types of all files. */
  readonly files: Readonly<Record<string, string>>;
}

/** What a document says of itself. */
export interface DocumentFacts {
  readonly title: string;
  /** Name of the page, whose files are fetched along; `null`: of none in particular. */
  readonly page: string | null;
  /** What the scripts of the page need to know of this exchange. Everybody may read it. */
  readonly exchange: object;
}

/** The pages of a port as they were built from `web/`. DEC-WEB-02. */
export interface BuiltPages {
  /** A file by its path below `/`; `null`: there is none. */
  file(path: string): Promise<SharedPage | null>;
  /** A document of the shell. */
  document(facts: DocumentFacts): string;
}

/** Ports that have pages. */
export type PagesOf = 'public' | 'office';

/** The pages were not built, or not whole. */
export class PagesNotBuilt extends Error {}

const opened = new Map<PagesOf, Promise<BuiltPages>>();

/**
 * The pages of a port. Read once in a process, when they are first asked for.
 * @throws PagesNotBuilt
 */
export function builtPages(of: PagesOf): Promise<BuiltPages> {
  const known = opened.get(of);
  if (known !== undefined) return known;
  const pages = openPages(new URL(`${of}/`, builtFolder));
  opened.set(of, pages);
  // Whoever asks next tries again.
  pages.catch(() => opened.delete(of));
  return pages;
}

async function openPages(folder: URL): Promise<BuiltPages> {
  const text = await readFile(new URL('pages.json', folder), 'utf8').catch((error: Error) => {
    throw new PagesNotBuilt('The pages of this exchange are not built: npm run build.', { cause: error });
  });
  const description = JSON.parse(text) as PagesDescription;
  const types = new Map(Object.entries(description.files));
  const files = new Map<string, Promise<SharedPage>>();

  async function readPage(path: string, type: string): Promise<SharedPage> {
    const [plain, br, gzip] = await Promise.all(
      ['', '.br', '.gz'].map((coding) => readFile(new URL(path + coding, folder))),
    );
    return new SharedPage(plain as Buffer, type, { br: br as Buffer, gzip: gzip as Buffer });
  }

  return {
    file: async (path) => {
      const type = types.get(path);
      if (type === undefined) return null;
      const known = files.get(path) ?? readPage(path, type);
      files.set(path, known);
      known.catch(() => files.delete(path));
      return known;
    },
    document: (facts) => documentOf(description, facts),
  };
}

/** A document without script and style of its own: its policy allows none. DEC-WEB-03. */
function documentOf(description: PagesDescription, { title, page, exchange }: DocumentFacts): string {
  const own = page === null ? undefined : description.pages[page];
  const styles = [...description.styles, ...(own?.styles ?? [])].map(
    (path) => `<link rel="stylesheet" href="/${path}">`,
  );
  const preloads = [...description.scripts, ...(own?.scripts ?? [])].map(
    (path) => `<link rel="modulepreload" href="/${path}">`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title>
<meta name="exchange" content="${escapeHtml(JSON.stringify(exchange))}">
<link rel="icon" href="/favicon.ico">${styles.join('')}
<script type="module" src="/${description.script}"></script>${preloads.join('')}</head>
<body><div id="app"></div>
<noscript><p>This page needs JavaScript. The API does not: <a href="/openapi.json">its document</a>.</p></noscript>
</body></html>
`;
}
