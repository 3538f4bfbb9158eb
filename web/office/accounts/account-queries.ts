import type { Members } from '#web/office/data/office-calls.ts';

/** By what an account is found, beside the words that tell by themselves. */
export const finders = [
  'name',
  'uid',
  'email',
  'mobile',
  'apiKey',
  'depositAddress',
  'order',
  'withdrawal',
  'withdrawalAddress',
  'transaction',
] as const;
export type Finder = (typeof finders)[number];

/** What the words are, as far as they tell: what a support desk pastes. */
export function finderOf(words: string): Finder {
  if (/^\d{1,9}$/.test(words)) return 'uid';
  if (/^C02__\d{18}$/.test(words)) return 'order';
  if (words.includes('@')) return 'email';
  if (/^\d{1,4} \d{4,}$/.test(words)) return 'mobile';
  if (/^(mx0|srv)[A-Za-z0-9]{10,}$/.test(words)) return 'apiKey';
  if (/^[0-9a-f]{32}$/.test(words)) return 'withdrawal';
  if (/^(0x)?[0-9a-fA-F]{64}$/.test(words)) return 'transaction';
  if (/^(0x[0-9a-fA-F]{40}|[A-Za-z0-9]{26,90})$/.test(words)) return 'depositAddress';
  return 'name';
}

/** What is asked for. */
export function queryOf(finder: Finder, words: string): Members<'listAccounts'> {
  if (words === '') return {};
  return { [finder]: finder === 'uid' ? Number(words) : words } as Members<'listAccounts'>;
}
