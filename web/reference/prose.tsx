import type { ComponentChildren } from 'preact';

/** A text in which words between backticks are code. */
export const Prose = ({ text }: { readonly text: string }): ComponentChildren =>
  text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? <code key={`${index} ${part}`}>{part}</code> : part));

/** Paragraphs and lists, with or without numbers, separated by empty lines. */
export const Blocks = ({ text }: { readonly text: string }): ComponentChildren =>
  text.split('\n\n').map((block) => {
    if (!/^(?:- |1\. )/.test(block))
      return (
        <p key={block}>
          <Prose text={block} />
        </p>
      );
    const List = block.startsWith('- ') ? 'ul' : 'ol';
    return (
      <List key={block}>
        {block
          .split(/\n(?:- |\d+\. )|^(?:- |1\. )/)
          .filter((item) => item !== '')
          .map((item) => (
            <li key={item}>
              <Prose text={item} />
            </li>
          ))}
      </List>
    );
  });

/** A part of a text under its heading. */
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
