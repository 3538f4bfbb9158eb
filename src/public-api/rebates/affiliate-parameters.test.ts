import { expect, test } from 'vitest';
import { sumsOfPage } from '#public-api/rebates/affiliate-parameters.ts';
import { groupsMax } from '#history/history-store.ts';

test('DEC-SUB-46: with more users than history tells at once, those of the page are still told', async () => {
  const asking = (userCount: number) => async (user: number | null) => {
    const users = user === null ? Array.from({ length: userCount }, (_, index) => index) : [user];
    return users.slice(0, groupsMax);
  };
  const page = [groupsMax + 5, groupsMax + 4];
  expect(await sumsOfPage(asking(3), null, [2, 1])).toEqual([0, 1, 2]);
  expect(await sumsOfPage(asking(groupsMax + 6), null, page)).toEqual(page);
});
