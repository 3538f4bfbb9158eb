import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { contracts, readContracts } from '#web/data/contracts.ts';
import { pairs, readMarkets } from '#web/data/markets.ts';
import { reasonOf } from '#web/data/refusal.ts';
import { type DemoAccount, demoAccounts, signIn } from '#web/data/session.ts';
import { Dialog } from '#web/design/dialog.tsx';
import { SearchIcon } from '#web/design/icons.tsx';
import { say } from '#web/design/toasts.tsx';
import { goTo } from '#web/shell/router.ts';

/** Something that can be found by its name, and what going there does. */
interface Findable {
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

/** What the page that is shown adds to what can be found, such as endpoints. */
export const furtherPages = signal<readonly SearchPage[]>([]);

const isOpen = signal(false);
const shownMax = 12;

const close = (): void => {
  isOpen.value = false;
};

async function enterAs(account: DemoAccount): Promise<void> {
  try {
    await signIn(account, account.name, true);
    say(`Signed in as ${account.name}.`, 'good');
  } catch (error) {
    say(reasonOf(error), 'bad');
  }
}

/** All that can be found. */
function findables(pages: readonly SearchPage[], accounts: readonly DemoAccount[]): readonly Findable[] {
  return [
    ...(pairs.value ?? []).map(({ symbol, baseAsset, quoteAsset, fullName }) => ({
      name: `${baseAsset}/${quoteAsset}`,
      about: fullName,
      go: () => goTo(`/trade/${encodeURIComponent(symbol)}`),
    })),
    ...(contracts.value ?? []).map(({ symbol }) => ({
      name: symbol,
      about: 'Contract',
      go: () => goTo(`/contracts/${encodeURIComponent(symbol)}`),
    })),
    ...[...pages, ...furtherPages.value].map(({ title, href, about = 'Page' }) => ({
      name: title,
      about,
      go: () => goTo(href),
    })),
    ...accounts.map((account) => ({
      name: account.name,
      about: `Demo account: ${account.role}`,
      go: () => void enterAs(account),
    })),
  ];
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/[/_\s]/g, '');

function found(all: readonly Findable[], words: string): readonly Findable[] {
  const wanted = plain(words);
  const matching = all.filter(({ name, about }) => plain(`${name}${about}`).includes(wanted));
  const begins = ({ name }: Findable): number => (plain(name).startsWith(wanted) ? 0 : 1);
  return matching.toSorted((one, other) => begins(one) - begins(other)).slice(0, shownMax);
}

function SearchDialog({ pages }: { readonly pages: readonly SearchPage[] }) {
  const [words, setWords] = useState('');
  const [at, setAt] = useState(0);
  const [accounts, setAccounts] = useState<readonly DemoAccount[]>([]);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (pairs.peek() === null) void readMarkets();
    if (contracts.peek() === null) void readContracts();
    void demoAccounts().then(setAccounts);
  }, []);
  const shown = found(findables(pages, accounts), words);
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
          type="text"
          role="combobox"
          aria-label="Pair, contract, page or account"
          aria-expanded="true"
          aria-controls="search-list"
          aria-activedescendant={shown.length === 0 ? undefined : `search-${at}`}
          placeholder="Pair, contract, page or account"
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

/** The button and the key (Ctrl K) that open the search for pairs, contracts, pages and accounts. */
export function SearchTool({ pages }: { readonly pages: readonly SearchPage[] }) {
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
      {isOpen.value ? <SearchDialog pages={pages} /> : null}
    </>
  );
}
