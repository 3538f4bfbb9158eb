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

const shownWhole = 20;

/** The hash of a transaction with its middle left out, whole at hand and to be copied. */
export const ShortHash = ({ hash }: { readonly hash: string }) => (
  <span class="short-hash">
    <span class="code" title={hash}>
      {hash.length > shownWhole ? `${hash.slice(0, 10)}…${hash.slice(-6)}` : hash}
    </span>
    <CopyButton text={hash} what="transaction" />
  </span>
);

/** An address in groups of four characters, as eyes compare it; what is marked and copied is the address. */
export const GroupedAddress = ({ address }: { readonly address: string }) => (
  <span class="code address-groups">
    {Array.from(address.matchAll(/.{1,4}/gsu), (match) => (
      <span key={match.index}>{match[0]}</span>
    ))}
  </span>
);
