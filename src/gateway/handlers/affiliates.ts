import { wireLimits } from '#api/limits.ts';
import { invalidParameter } from '#api/errors.ts';
import type { Caller } from '#gateway/endpoint-request.ts';
import type { GatewayContext } from '#gateway/gateway-context.ts';
import { campaignReport } from '#gateway/handlers/affiliate-campaigns.ts';
import { commissionDetailReport, commissionReport } from '#gateway/handlers/affiliate-commissions.ts';
import { referralReport, subAffiliateReport } from '#gateway/handlers/affiliate-people.ts';
import {
  type AskedReportPage,
  placeOf,
  type Report,
  reportNumbers,
  reportOf,
} from '#gateway/handlers/affiliate-terms.ts';
import type { Handlers } from '#gateway/handlers/handlers.ts';
import { amountText, type SymbolDirectory } from '#projections/symbol-directory.ts';

const { halfYearMs, weekMs, detailWindowMs } = wireLimits.rebates;

/** Payouts of settlement, newest first. SPEC-AFF-03, DEC-SUB-26. */
async function payoutReport({ context, directory, account, window }: Report, asked: AskedReportPage) {
  const [rows, total] = await Promise.all([
    context.history.page('rebatePayouts', { account }, window, placeOf(asked)),
    context.history.count('rebatePayouts', { account }, window),
  ]);
  const resultList = rows.map((row) => {
    const asset = directory.asset(row.asset);
    return { withdrawTime: row.at, asset: asset.code, amount: amountText(asset, row.amount) };
  });
  return { ...reportNumbers(total, asked), resultList };
}

type Times = { readonly startTime?: number | undefined; readonly endTime?: number | undefined };
type AffiliateEndpoint =
  | 'affiliateCommission'
  | 'affiliatePayouts'
  | 'affiliateCommissionDetail'
  | 'affiliateCampaigns'
  | 'affiliateReferrals'
  | 'subAffiliates';

/** Handlers of the reports of affiliates. */
export function affiliateHandlers(
  context: GatewayContext,
  directory: SymbolDirectory,
): Pick<Handlers, AffiliateEndpoint> {
  const begin = ({ startTime, endTime }: Times, { account }: Caller, defaultMs: number): Promise<Report> =>
    reportOf(context, directory, account.account, { startTime, endTime, defaultMs });
  return {
    affiliateCommission: async (asked, caller) => commissionReport(await begin(asked, caller, halfYearMs), asked),
    affiliatePayouts: async (asked, caller) => payoutReport(await begin(asked, caller, halfYearMs), asked),
    affiliateCommissionDetail: async ({ type: product, ...asked }, caller) => {
      const { startTime, endTime = context.clock.now() } = asked;
      if (startTime !== undefined && endTime - startTime > detailWindowMs)
        throw invalidParameter('startTime', 'the window is at most 30 days');
      return commissionDetailReport(await begin(asked, caller, weekMs), { ...asked, product });
    },
    affiliateCampaigns: async (asked, caller) => campaignReport(await begin(asked, caller, weekMs), asked),
    affiliateReferrals: async (asked, caller) => referralReport(await begin(asked, caller, weekMs), asked),
    subAffiliates: async (asked, caller) => subAffiliateReport(await begin(asked, caller, weekMs), asked),
  };
}
