import type { InviteCode } from '#model/rebate.ts';
import {
  type AskedReportPage,
  commissionOf,
  moveSums,
  placeOf,
  type Report,
  reportNumbers,
  sumsBy,
  sumsOfPage,
  tradeSums,
  turnoverOf,
  type UserFilter,
} from '#public-api/rebates/affiliate-parameters.ts';

/** Campaigns with what came of them, the newest first. SPEC-AFF-05, DEC-SUB-66. */
export async function campaignReport(report: Report, asked: AskedReportPage) {
  const { context, account, window, valueText } = report;
  const { rebates } = context.queries;
  const codes = (await rebates.inviteCodesOf(account)).filter(({ campaign }) => campaign !== null).toReversed();
  const { offset, limit } = placeOf(asked);
  const page = codes.slice(offset, offset + limit);
  const ofPage = page.map(({ code }) => ({ code }));
  const [trades, deposits, clicks] = await Promise.all([
    sumsOfPage((of: UserFilter) => tradeSums(report, of), {}, ofPage),
    sumsOfPage((of: UserFilter) => moveSums(report, account, { ...of, direction: 'deposit' }), {}, ofPage),
    context.history.grouped('inviteClicks', { owner: account }, window, { by: ['code'], sum: ['count'] }),
  ]);
  const clicksOf = sumsBy(
    clicks,
    ({ code }) => code,
    ({ count }) => count,
  );
  const entry = async ({ code, campaign, createdAt }: InviteCode) => {
    const { total: signup } = await rebates.invitees(account, { ...window, code, offset: 0, limit: 1 });
    const traded = trades.filter((sum) => sum.code === code);
    const deposited = deposits.filter((sum) => sum.code === code);
    return {
      campaign: campaign ?? '',
      inviteCode: code,
      createTime: createdAt,
      clickTime: Number(clicksOf.get(code) ?? 0n),
      signup,
      deposited: deposited.length,
      traded: new Set(traded.map(({ source }) => source)).size,
      depositAmount: valueText(deposited.reduce((sum, { value }) => sum + value, 0n)),
      tradingAmount: valueText(turnoverOf(traded)),
      commission: valueText(commissionOf(traded)),
    };
  };
  return { ...reportNumbers(codes.length, asked), resultList: await Promise.all(page.map(entry)) };
}
