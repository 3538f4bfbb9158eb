import { million } from '#base/whole-numbers.ts';
import type { accountAliases, accountEndpoints } from '#public-api/accounts/account-endpoints.ts';
import { formatDecimal } from '#base/decimal.ts';
import { tokenPriceDecimals } from '#model/fees.ts';
import type { Caller, EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import { submitAccepted } from '#public-api/submit.ts';
import type { HandlersOf } from '#public-api/handlers.ts';
import { JsonText } from '#public-api/handlers.ts';
import { listedSymbol } from '#public-api/listed-symbols.ts';
import type { SymbolDirectory } from '#market-data/symbol-directory.ts';

const kycWords = ['1', '2', '3', '4'] as const;

async function balanceTexts(context: GatewayContext, directory: SymbolDirectory, caller: Caller): Promise<string> {
  const balances = await context.queries.balances(caller.account.account);
  const texts = balances.map(({ asset, free, held }) => {
    const { code, scale } = directory.asset(asset);
    const freeText = formatDecimal(free, scale);
    const locked = formatDecimal(held, scale);
    return `{"asset":"${code}","free":"${freeText}","locked":"${locked}","available":"${freeText}"}`;
  });
  return texts.join(',');
}

/** Whether an account has the right to deposit and withdraw: a master's sub-account has none. DEC-SUB-104. */
async function mayDepositAndWithdraw({ queries }: GatewayContext, { account }: Caller): Promise<boolean> {
  if (account.account === account.master) return true;
  return (await queries.account(account.master))?.class === 'broker';
}

/** Enables or disables token deduction (fees paid in the platform token); resolves to the new setting. */
async function switchDeduction(
  context: GatewayContext,
  caller: Caller,
  request: EndpointRequest,
  enabled: boolean,
): Promise<boolean> {
  const { account } = caller.account;
  await submitAccepted(context, request, { kind: 'setFeeDeduction', account, enabled });
  return enabled;
}

/** How fees are paid in the platform token. */
async function feeTokenOf({ queries }: GatewayContext, directory: SymbolDirectory) {
  const found = await queries.feeToken();
  if (found === null) return null;
  const { code, scale } = directory.asset(found.token);
  return {
    asset: code,
    precision: scale,
    discount: found.discountPpm / million,
    valuedIn: directory.asset(found.valuedIn).code,
    price: found.price === null ? null : formatDecimal(found.price, tokenPriceDecimals),
  };
}

/** Handlers of identity, balances and fees. */
export function accountHandlers(
  context: GatewayContext,
  directory: SymbolDirectory,
): HandlersOf<Omit<typeof accountEndpoints, 'selfSymbols'> & typeof accountAliases> {
  return {
    kycStatus: (_parameters, { account }) => ({ status: kycWords[account.kycLevel - 1] ?? '1' }),
    uid: (_parameters, { account }) => ({ uid: String(account.uid) }),
    account: async (_parameters, caller) => {
      const { queries } = context;
      const { account } = caller.account;
      const mayAct = (await queries.statusOf(account)) === 'normal';
      const mayTrade = mayAct && !(await queries.isOff(account, 'trade'));
      const mayDeposit = mayAct && (await mayDepositAndWithdraw(context, caller));
      const mayWithdraw = mayDeposit && !(await queries.isOff(account, 'withdraw'));
      const balances = await balanceTexts(context, directory, caller);
      return new JsonText(
        '{"makerCommission":null,"takerCommission":null,"buyerCommission":null,"sellerCommission":null,' +
          `"canTrade":${mayTrade},"canWithdraw":${mayWithdraw},"canDeposit":${mayDeposit},"updateTime":null,` +
          `"accountType":"SPOT","permissions":["SPOT"],"balances":[${balances}]}`,
      );
    },
    tradeFee: async ({ symbol }, caller) => {
      const { rules } = listedSymbol(directory, symbol);
      const rates = await context.queries.feeRates(caller.account.account, rules.id);
      return { makerCommission: rates.makerPpm / million, takerCommission: rates.takerPpm / million };
    },
    enableFeeDeduction: async ({ svcDeductEnable }, caller, request) => ({
      svcDeductEnable: await switchDeduction(context, caller, request, svcDeductEnable),
    }),
    feeDeduction: async (_parameters, { account }) => ({
      svcDeductEnable: account.feeDeduction,
      token: await feeTokenOf(context, directory),
    }),
    enableModelFeeDeduction: async ({ mxDeductEnable }, caller, request) => ({
      mxDeductEnable: await switchDeduction(context, caller, request, mxDeductEnable),
    }),
    modelFeeDeduction: (_parameters, { account }) => ({ mxDeductEnable: account.feeDeduction }),
  };
}
