import { escapeHtml } from '#base/escape-html.ts';
import type { SiteLink } from '#http/site-links.ts';
import { builtPages, PagesNotBuilt, type PagesOf } from '#http/built-pages.ts';

/** The head of every page, for those that are made elsewhere. */
export interface SiteHeader {
  /** Whose style it has. */
  readonly of: PagesOf;
  /** Name of the exchange. */
  readonly name: string;
  readonly links: readonly SiteLink[];
  /** Which of them leads here. */
  readonly current: string;
}

const logo =
  '<svg viewBox="0 0 16 16" aria-hidden="true"><path fill="#ef4444" d="M5 4h1v2h1v5H6v2H5v-2H4V6h1z"/>' +
  '<path fill="#10b981" d="M1 8h1v2h1v4H2v1H1v-1H0v-4h1zM9 6h1v2h1v5h-1v1H9v-1H8V8h1z' +
  'M13 1h1v2h1v6h-1v2h-1V9h-1V3h1z"/>' +
  '</svg>';

function headerHtml({ name, links, current }: SiteHeader): string {
  const items = links.map(({ href, title }) => {
    const mark = href === current ? ' aria-current="page"' : '';
    return `<a href="${escapeHtml(href)}"${mark}>${escapeHtml(title)}</a>`;
  });
  const home = `<a class="site-logo" href="/">${logo}<span>${escapeHtml(name)}</span></a>`;
  return `<header class="site-header">${home}<nav class="site-nav" aria-label="Pages">${items.join('')}</nav></header>`;
}

/** Puts the head of all pages onto a document that is made elsewhere; without built pages it stays as it is. */
export async function withSiteHeader(html: string, header: SiteHeader): Promise<string> {
  let style: string;
  try {
    style = (await builtPages(header.of)).siteStyle;
  } catch (error) {
    if (error instanceof PagesNotBuilt) return html;
    throw error;
  }
  return html
    .replace('</head>', () => `<link rel="stylesheet" href="${style}"></head>`)
    .replace(/<body[^>]*>/, (body) => body + headerHtml(header));
}
