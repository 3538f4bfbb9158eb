import { signal } from '@preact/signals';
import { contracts, readContracts } from '#web/data/contracts.ts';
import { pairs, readMarkets } from '#web/data/markets.ts';
import { reasonOf } from '#web/data/refusal.ts';
import { type DemoAccount, demoAccounts, signIn } from '#web/data/session.ts';
import { say } from '#web/design/toasts.tsx';
import { goTo } from '#web/shell/router.ts';
import { type Findable, pagesFindable, type SearchPage, type SearchScope } from '#web/shell/search.tsx';

const accounts = signal<readonly DemoAccount[]>([]);

async function enterAs(account: DemoAccount): Promise<void> {
  try {
    await signIn(account, account.name, true);
    say(`Signed in as ${account.name}.`, 'good');
  } catch (error) {
    say(reasonOf(error), 'bad');
  }
}

function begin(): void {
  if (pairs.peek() === null) void readMarkets();
  if (contracts.peek() === null) void readContracts();
  void demoAccounts().then((all) => {
    accounts.value = all;
  });
}

const known = (pages: readonly SearchPage[]): readonly Findable[] => [
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
  ...pagesFindable(pages),
  ...accounts.value.map((account) => ({
    name: account.name,
    about: `Demo account: ${account.role}`,
    go: () => void enterAs(account),
  })),
];

/** What can be found on the public port: pairs, contracts, pages, and demo accounts. */
export const publicSearch = (pages: readonly SearchPage[]): SearchScope => ({
  label: 'Pair, contract, page or account',
  begin,
  known: () => known(pages),
});
