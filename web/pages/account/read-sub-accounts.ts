import type { AnswerOf, BourseClient } from '#client/client.ts';

/** A sub-account as the exchange lists it. */
export type SubAccount = AnswerOf<'subAccounts'>['subAccounts'][number];

const pageSize = 200;
const pagesMax = 5;

/** Sub-accounts of whoever is signed in, in the order in which they were opened; 1000 at most. */
export async function readSubAccounts(client: BourseClient): Promise<readonly SubAccount[]> {
  const found: SubAccount[] = [];
  for (let page = 1; page <= pagesMax; page += 1) {
    const { subAccounts } = await client.subAccounts({ page, limit: pageSize });
    found.push(...subAccounts);
    if (subAccounts.length < pageSize) break;
  }
  return found;
}
