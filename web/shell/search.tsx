import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from '#web/design/dialog.tsx';
import { SearchIcon } from '#web/design/icons.tsx';
import { goTo } from '#web/shell/router.ts';

/** Something that can be found by its name, and what going there does. */
export interface Findable {
  readonly name: string;
  readonly about: string;
  readonly go: () => void;
}

/** A page that the search finds. */
export interface SearchPage {
  readonly title: string;
  readonly href: string;
  /** What kind of page it is; by itself `Page`. */
  readonly about?: string;
}

/** What can be found on a port. */
export interface SearchScope {
  /** What is named in the field. */
  readonly label: string;
  /** Called when the search opens: reads what is not known yet. */
  readonly begin: () => void;
  /** What is found by its name; follows the signals that it reads. */
  readonly known: () => readonly Findable[];
  /** What the exchange finds by these words; absent: it is not asked. */
  readonly ask?: (words: string) => Promise<readonly Findable[]>;
}

/** What the page that is shown adds to what can be found, such as endpoints. */
export const furtherPages = signal<readonly SearchPage[]>([]);

/** Pages as something that can be found. */
export const pagesFindable = (pages: readonly SearchPage[]): readonly Findable[] =>
  [...pages, ...furtherPages.value].map(({ title, href, about = 'Page' }) => ({
    name: title,
    about,
    go: () => goTo(href),
  }));

const isOpen = signal(false);
const shownMax = 12;
/** Time without a key after which the exchange is asked. */
const pauseMs = 250;

const close = (): void => {
  isOpen.value = false;
};

const plain = (text: string): string => text.toLowerCase().replaceAll(/[/_\s]/g, '');

function found(all: readonly Findable[], words: string): readonly Findable[] {
  const wanted = plain(words);
  const matching = all.filter(({ name, about }) => plain(`${name}${about}`).includes(wanted));
  const begins = ({ name }: Findable): number => (plain(name).startsWith(wanted) ? 0 : 1);
  return matching.toSorted((one, other) => begins(one) - begins(other)).slice(0, shownMax);
}

/** What the exchange finds by the words, once they stand for a moment. */
function useAsked({ ask }: SearchScope, words: string): readonly Findable[] {
  const [asked, setAsked] = useState<readonly Findable[]>([]);
  useEffect(() => {
    setAsked([]);
    const wanted = words.trim();
    if (ask === undefined || wanted === '') return;
    let isCurrent = true;
    const timer = setTimeout(
      () =>
        void ask(wanted).then(
          (next) => isCurrent && setAsked(next),
          () => {},
        ),
      pauseMs,
    );
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [words]);
  return asked;
}

function SearchDialog({ scope }: { readonly scope: SearchScope }) {
  const [words, setWords] = useState('');
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const asked = useAsked(scope, words);
  useEffect(() => {
    // A window begins at its first button; whoever searches wants to write.
    field.current?.focus();
    scope.begin();
  }, []);
  const shown = [...asked, ...found(scope.known(), words)].slice(0, shownMax);
  const choose = (findable: Findable | undefined): void => {
    if (findable === undefined) return;
    close();
    findable.go();
  };
  const turn = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (event.key === 'Enter') choose(shown[at]);
    if (step === 0 || shown.length === 0) return;
    event.preventDefault();
    const next = (at + step + shown.length) % shown.length;
    setAt(next);
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <Dialog title="Search" onClose={close}>
      <div class="field-box">
        <input
          ref={field}
          type="text"
          role="combobox"
          aria-label={scope.label}
          aria-expanded="true"
          aria-controls="search-list"
          aria-activedescendant={shown.length === 0 ? undefined : `search-${at}`}
          placeholder={scope.label}
          value={words}
          onKeyDown={turn}
          onInput={(event) => {
            setWords(event.currentTarget.value);
            setAt(0);
          }}
        />
      </div>
      {shown.length === 0 ? <p class="soft">Nothing is named so.</p> : null}
      <div id="search-list" ref={list} class="search-list" role="listbox" aria-label="Found">
        {shown.map((findable, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the input's
          <div
            key={`${findable.name} ${findable.about}`}
            id={`search-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => choose(findable)}
            onMouseMove={() => setAt(index)}
          >
            <span>{findable.name}</span>
            <small class="soft">{findable.about}</small>
          </div>
        ))}
      </div>
    </Dialog>
  );
}

/** The button and the key (Ctrl K) that open the search. */
export function SearchTool({ scope }: { readonly scope: SearchScope }) {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      isOpen.value = true;
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <button
        type="button"
        class="search-button"
        aria-keyshortcuts="Control+K"
        onClick={() => {
          isOpen.value = true;
        }}
      >
        <SearchIcon />
        <span>Search</span>
        <kbd>Ctrl K</kbd>
      </button>
      {isOpen.value ? <SearchDialog scope={scope} /> : null}
    </>
  );
}
