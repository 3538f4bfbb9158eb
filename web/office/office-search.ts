import { signal } from '@preact/signals';
import { finderOf, queryOf } from '#web/office/accounts/account-queries.ts';
import { callOffice } from '#web/office/data/office-calls.ts';
import { mayDo } from '#web/office/operator-session.ts';
import { sectionGroups } from '#web/office/sections.ts';
import { chosenWithdrawal } from '#web/office/withdrawals/chosen-withdrawal.ts';
import { goTo } from '#web/shell/router.ts';
import { type Findable, pagesFindable, type SearchScope } from '#web/shell/search.tsx';

/** Most things of a kind that are found by name. */
const limit = 500;

/** Pairs, contracts, coins and withdrawals, as they were when the search was opened. */
const listed = signal<readonly Findable[]>([]);

const ifOpen = async (scope: string, read: () => Promise<readonly Findable[]>): Promise<readonly Findable[]> =>
  mayDo(scope) ? read().catch(() => []) : [];

const readPairs = async (): Promise<readonly Findable[]> =>
  (await callOffice('listPairs', { limit })).answer.items.map(({ pair, status }) => ({
    name: pair,
    about: `Pair: ${status}`,
    go: () => goTo('/pairs'),
  }));

const readContracts = async (): Promise<readonly Findable[]> =>
  (await callOffice('listContracts', { limit })).answer.items.map(({ contract }) => ({
    name: contract,
    about: 'Contract',
    go: () => goTo(`/contracts/${encodeURIComponent(contract)}`),
  }));

const readCoins = async (): Promise<readonly Findable[]> =>
  (await callOffice('listAssets', { limit })).answer.items.map(({ asset, fullName }) => ({
    name: asset,
    about: `Coin: ${fullName}`,
    go: () => goTo(`/coins/${encodeURIComponent(asset)}`),
  }));

const readWithdrawals = async (): Promise<readonly Findable[]> =>
  (await callOffice('listWithdrawals', { limit })).answer.items.map(({ withdrawal, amount, asset, status }) => ({
    name: `Withdrawal ${withdrawal}`,
    about: `${amount} ${asset}: ${status}`,
    go: () => {
      chosenWithdrawal.value = withdrawal;
      goTo('/withdrawals');
    },
  }));

function begin(): void {
  const reads = [
    ifOpen('pairs:read', readPairs),
    ifOpen('contracts:read', readContracts),
    ifOpen('assets:read', readCoins),
    ifOpen('withdrawals:read', readWithdrawals),
  ];
  void Promise.all(reads).then((all) => {
    listed.value = all.flat();
  });
}

const pages = sectionGroups
  .flatMap(({ sections }) => sections)
  .map(({ href, title, scope }) => ({ href, title, scope }));

/** Accounts that the words belong to: a name, a number, an address, a key, the id of a withdrawal or an order. */
async function ask(words: string): Promise<readonly Findable[]> {
  if (!mayDo('accounts:read')) return [];
  const finder = finderOf(words);
  const { answer } = await callOffice('listAccounts', queryOf(finder, words));
  return answer.items.map(({ uid, name }) => ({
    name: `${uid} ${name}`,
    about: finder === 'name' || finder === 'uid' ? 'Account' : `Account, by its ${finder}`,
    go: () => goTo(`/accounts/${uid}`),
  }));
}

/** What can be found in the back office, as far as the token opens it. DEC-WEB-56. */
export const officeSearch: SearchScope = {
  label: 'Page, account, coin, pair, withdrawal',
  begin,
  known: () => [...pagesFindable(pages.filter(({ scope }) => mayDo(scope))), ...listed.value],
  ask,
};
