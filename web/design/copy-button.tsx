import '#web/design/marks.css';
import { Button } from '#web/design/button.tsx';
import { say } from '#web/design/toasts.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** What it copies, such as `address`. */
  readonly what: string;
}

/** Copies a text. */
export const CopyButton = ({ text, what }: CopyButtonProps) => (
  <Button
    isSmall
    aria-label={`Copy the ${what}`}
    onClick={() =>
      navigator.clipboard.writeText(text).then(
        () => say(`Copied the ${what}.`, 'good'),
        () => say('This browser does not let the page copy: mark the text and copy it.', 'bad'),
      )
    }
  >
    Copy
  </Button>
);

/** A text under its name, to be copied. */
export const TextToCopy = ({ name, text, what }: CopyButtonProps & { readonly name: string }) => (
  <div class="secret-line">
    <small class="soft">{name}</small>
    <span class="code">{text}</span>
    <CopyButton text={text} what={what} />
  </div>
);
