import { useState } from 'preact/hooks';
import { ScrollFrame } from '#web/design/scroll-frame.tsx';
import { CopyButton } from '#web/design/copy-button.tsx';
import { Tabs } from '#web/design/tabs.tsx';

interface CodeBlockProps {
  /** What it is, such as `answer`. */
  readonly what: string;
  readonly code: string;
  /** What is copied, where that is not what is shown. */
  readonly copied?: string;
}

/** Code with a button that copies it; it scrolls within its frame. */
export const CodeBlock = ({ what, code, copied = code }: CodeBlockProps) => (
  <div class="code-block">
    <ScrollFrame style="code-frame" label={what}>
      <pre>{code}</pre>
    </ScrollFrame>
    <CopyButton text={copied} what={what} />
  </div>
);

/** The same in a language. */
export interface CodeChoice {
  readonly language: string;
  readonly code: string;
  readonly copied?: string;
}

/** Which language was chosen last, for all blocks of a page. */
let lastChosen = '';

/** The same in several languages, one at a time. */
export function CodeTabs({ what, choices }: { readonly what: string; readonly choices: readonly CodeChoice[] }) {
  const [chosen, setChosen] = useState(lastChosen);
  const shown = choices.find(({ language }) => language === chosen) ?? choices[0];
  if (shown === undefined) return null;
  return (
    <>
      <Tabs
        label={`Language of the ${what}`}
        tabs={choices.map(({ language }) => ({ id: language, title: language }))}
        chosen={shown.language}
        onChoose={(language) => {
          lastChosen = language;
          setChosen(language);
        }}
      />
      <CodeBlock what={`${what} (${shown.language})`} code={shown.code} copied={shown.copied ?? shown.code} />
    </>
  );
}
