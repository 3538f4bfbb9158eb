import { escapeHtml as escaped } from '#base/escape-html.ts';

/** Text in the type of code. */
export const code = (text: string): string => `<code>${escaped(text)}</code>`;

/** Text with `code` in it. */
export const prose = (text: string): string => escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

const listOf = (tag: 'ul' | 'ol', block: string, mark: RegExp): string => {
  const items = block.split(mark).filter((item) => item !== '');
  return `<${tag}>${items.map((item) => `<li>${prose(item)}</li>`).join('')}</${tag}>`;
};

/** Paragraphs and lists, with or without numbers, separated by empty lines. */
export const blocks = (markdown: string): string =>
  markdown
    .split('\n\n')
    .map((block) => {
      if (block.startsWith('- ')) return listOf('ul', block, /\n- |^- /);
      if (block.startsWith('1. ')) return listOf('ol', block, /\n\d\. |^1\. /);
      return `<p>${prose(block)}</p>`;
    })
    .join('\n');

/** A part of a text with its heading. */
export interface TextSection {
  /** For links to it. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** What stands before the first heading `## …`, and the sections under the headings. */
export function sectionsOf(markdown: string): { readonly intro: string; readonly sections: readonly TextSection[] } {
  const [intro = '', ...rest] = markdown.split(/\n\n## |^## /);
  const sections = rest.map((part) => {
    const end = part.indexOf('\n');
    const title = part.slice(0, end);
    return { id: title.toLowerCase().replaceAll(/[^a-z]+/g, '-'), title, text: part.slice(end).trim() };
  });
  return { intro, sections };
}
