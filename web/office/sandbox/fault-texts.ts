import { labelOf } from '#web/office/data/member-texts.ts';
import type { Item } from '#web/office/data/office-calls.ts';
import { spanText } from '#web/office/sandbox/span-text.ts';

type Rule = Pick<Item<'listFaults'>, 'match' | 'fault' | 'count' | 'forMs'>;

/** Members of a fault in words, without those that say nothing: `at answer · ms 800`. */
export function membersText({ fault }: Pick<Rule, 'fault'>): string {
  const told = Object.entries(fault).filter(
    ([name, value]) => name !== 'kind' && value !== null && value !== 0 && value !== '',
  );
  return told.map(([name, value]) => `${labelOf(name).toLowerCase()} ${value}`).join(' · ');
}

const ends = ['th', 'st', 'nd', 'rd'];
/** `3rd`, `11th`. */
const ordinal = (count: number): string =>
  `${count}${count % 100 > 10 && count % 100 < 14 ? 'th' : (ends[count % 10] ?? 'th')}`;

function strikingText({ nth, every, probabilityPpm }: Rule['match']): string {
  if (nth !== undefined) return `the ${ordinal(nth)} alone`;
  if (every !== undefined) return `every ${ordinal(every)}`;
  return probabilityPpm === undefined ? '' : `${probabilityPpm / 10_000} % by chance`;
}

/** Which requests or pushes a rule strikes, in words. */
export function matchText({ match }: Pick<Rule, 'match'>): string {
  const { method, path, channel, pair, account, key } = match;
  const told = [
    [method, path].filter((each) => each !== undefined).join(' '),
    channel ?? '',
    pair ?? '',
    account === undefined ? '' : `account ${account}`,
    key === undefined ? '' : `key ${key}`,
    strikingText(match),
  ].filter((text) => text !== '');
  return told.length === 0 ? 'all' : told.join(', ');
}

/** How long a rule holds, in words. */
export function lastingText({ count, forMs }: Pick<Rule, 'count' | 'forMs'>): string {
  const told = [
    count === null ? '' : count === 1 ? 'once' : `${count} times`,
    forMs === null ? '' : `for ${spanText(forMs)}`,
  ].filter((text) => text !== '');
  return told.length === 0 ? 'until removed' : told.join(', ');
}
