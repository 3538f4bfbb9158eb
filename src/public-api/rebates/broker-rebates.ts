import type { brokerRebateEndpoints } from '#public-api/broker/transfer-endpoints.ts';
import { isoDate } from '#base/clock.ts';
import { rebateDayOf } from '#model/rebate.ts';
import type { TimestampMs } from '#model/units.ts';
import { wireLimits } from '#http/limits.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import type { HandlersOf } from '#public-api/handlers.ts';
import { awaitHistory, windowOf } from '#public-api/history/history-reads.ts';
import { pageNumbers } from '#public-api/wallet/wallet-parameters.ts';
import { amountText, type SymbolDirectory } from '#market-data/symbol-directory.ts';

const { rebatesWindowDefaultMs: defaultMs } = wireLimits.broker;

/** `20260131`. */
const dayText = (day: TimestampMs): string => isoDate(day).replaceAll('-', '');

/** Handler of what brokers earn. SPEC-BRK-11, DEC-SUB-58. */
export function brokerRebateHandlers(
  context: GatewayContext,
  directory: SymbolDirectory,
): HandlersOf<typeof brokerRebateEndpoints> {
  const { history, queries } = context;
  return {
    brokerRebates: async ({ startTime, endTime, page, pageSize }, { account: { account } }) => {
      const asked = { startTime, endTime, defaultMs, reachMs: Number.POSITIVE_INFINITY };
      const { from, to } = windowOf(asked, await awaitHistory(context));
      const window = { from: rebateDayOf(from), to };
      const where = { account, kind: 'earned' } as const;
      const [rows, total] = await Promise.all([
        history.page('rebateDays', where, window, { limit: pageSize, offset: (page - 1) * pageSize }),
        history.count('rebateDays', where, window),
      ]);
      const uids = await Promise.all(rows.map(async ({ source }) => (await queries.account(source))?.uid));
      const data = rows.map((row, index) => {
        const asset = directory.asset(row.asset);
        const amount = amountText(asset, row.amount - row.rejectedAmount);
        return { asset: asset.code, amount, type: row.product, uid: String(uids[index]), time: dayText(row.day) };
      });
      return { ...pageNumbers(total, page, pageSize), data };
    },
  };
}
