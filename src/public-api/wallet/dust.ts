import type { walletDustEndpoints } from '#public-api/wallet/dust-endpoints.ts';
import type { AssetRules } from '#model/asset.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { AccountId, AssetId } from '#model/units.ts';
import type { ConvertedAsset } from '#model/wallet.ts';
import { engineLimits } from '#model/limits.ts';
import { errorBody, refusalError } from '#http/errors.ts';
import type { DustView } from '#sequencer/queries/wallet-queries.ts';
import type { EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import type { HandlersOf } from '#public-api/handlers.ts';
import { awaitHistory, windowOf } from '#public-api/history/history-reads.ts';
import { submitFor } from '#public-api/submit.ts';
import { pageNumbers } from '#public-api/wallet/wallet-parameters.ts';
import type { Window } from '#history/history-store.ts';
import type { ConversionRow } from '#history/tables/wallet-tables.ts';
import { amountText, type SymbolDirectory } from '#market-data/symbol-directory.ts';

/** What conversions are paid in, and what dust is valued in. */
interface DustAssets {
  readonly token: AssetRules;
  readonly valuedIn: AssetRules;
}

/** An asset that a conversion would take now. SPEC-WAL-16, DEC-WAL-177. */
function convertibleEntry(directory: SymbolDirectory, { token, valuedIn }: DustAssets, dust: DustView) {
  const asset = directory.asset(dust.asset);
  return {
    convertSvc: amountText(token, dust.converted),
    convertUsdt: amountText(valuedIn, dust.value),
    balance: amountText(asset, dust.amount),
    asset: asset.code,
    code: null,
    message: null,
  };
}

const sumOf = (values: readonly bigint[]): bigint => values.reduce((sum, value) => sum + value, 0n);

/** Number of a line, of which a conversion has a bounded count: each has an id of its own. DEC-WAL-172. */
const lineNumber = ({ conversion, line }: ConversionRow): number =>
  conversion * engineLimits.assetsPerConversion + line;

/** A conversion with its assets, in the order in which they were named. SPEC-WAL-18. */
function conversionEntry(
  { walletIds: ids }: GatewayContext,
  directory: SymbolDirectory,
  token: AssetRules,
  lines: readonly ConversionRow[],
) {
  return {
    totalConvert: amountText(token, sumOf(lines.map(({ converted }) => converted))),
    totalFee: amountText(token, sumOf(lines.map(({ fee }) => fee))),
    convertTime: lines[0]?.at ?? 0,
    convertDetails: lines.map((line) => {
      const asset = directory.asset(line.asset);
      return {
        id: ids.text('conversion', lineNumber(line)),
        convert: amountText(token, line.converted),
        fee: amountText(token, line.fee),
        amount: amountText(asset, line.amount),
        time: line.at,
        asset: asset.code,
      };
    }),
  };
}

/** All lines of the conversions whose first lines these are, by conversion. */
async function linesOf(
  { history }: GatewayContext,
  heads: readonly ConversionRow[],
): Promise<ReadonlyMap<number, readonly ConversionRow[]>> {
  const [newest] = heads;
  const oldest = heads.at(-1);
  const lines = new Map(heads.map(({ conversion }) => [conversion, [] as ConversionRow[]]));
  if (newest === undefined || oldest === undefined) return lines;
  const window: Window = { from: oldest.at, to: newest.at };
  for (const row of await history.rows('conversions', { account: newest.account }, window)) {
    lines.get(row.conversion)?.push(row);
  }
  return lines;
}

/** What became of a request to convert, by asset. */
interface ConversionResult {
  readonly done: readonly ConvertedAsset[];
  readonly refused: ReadonlyMap<AssetId, RejectReason>;
}

/** @throws ApiError for a refusal of the whole request: 26 for one too many. */
async function submitConversion(
  context: GatewayContext,
  account: AccountId,
  assets: readonly AssetId[],
  request: EndpointRequest,
): Promise<ConversionResult> {
  if (assets.length === 0) return { done: [], refused: new Map() };
  const result = await submitFor(context, request, { kind: 'convertDust', account, assets }, ['dustConverted']);
  return {
    done: result.conversion?.assets ?? [],
    refused: new Map(result.refused.map(({ asset, reason }) => [asset, reason])),
  };
}

/** Why an asset is not converted, as far as its reason does not say it: one cause. DEC-WAL-177. */
function causeOf(reason: RejectReason, asset: AssetId, token: AssetId, dust: readonly DustView[]): string | undefined {
  if (reason !== 'notConvertible') return undefined;
  if (asset === token) return 'it is what dust becomes';
  const value = dust.find((each) => each.asset === asset)?.value ?? 0n;
  return value === 0n ? 'it has no price' : 'it is worth too much to be dust';
}

/** What failures are told with. */
interface FailureParts {
  readonly directory: SymbolDirectory;
  readonly token: AssetId;
  /** What is left after the conversion. */
  readonly dust: readonly DustView[];
}

/** Assets that were not converted, in the order of the request. DEC-WAL-79. */
const failures = (
  { directory, token, dust }: FailureParts,
  names: readonly string[],
  refused: ConversionResult['refused'],
) =>
  names.flatMap((name) => {
    const asset = directory.findAsset(name);
    const reason = asset === undefined ? 'unknownAsset' : refused.get(asset.id);
    if (reason === undefined) return [];
    const cause = asset === undefined ? undefined : causeOf(reason, asset.id, token, dust);
    const { code, msg } = errorBody(refusalError(reason, cause));
    return [{ asset: name, message: msg, code }];
  });

/** Handlers of dust. */
export function walletDustHandlers(
  context: GatewayContext,
  directory: SymbolDirectory,
): HandlersOf<typeof walletDustEndpoints> {
  const { queries, history } = context;
  /** `null` before the wallet is set up. */
  const dustAssets = async (): Promise<DustAssets | null> => {
    const [{ feeToken }, rules] = await Promise.all([queries.listing(), queries.wallet.rules()]);
    if (feeToken === null || rules === null) return null;
    return { token: directory.asset(feeToken.token), valuedIn: directory.asset(rules.valuedIn) };
  };
  return {
    convertible: async (_parameters, { account }) => {
      const assets = await dustAssets();
      if (assets === null) return [];
      const dust = await queries.wallet.dust(account.account);
      return dust.filter(({ refusal }) => refusal === null).map((each) => convertibleEntry(directory, assets, each));
    },
    convert: async ({ asset: names }, { account }, request) => {
      const assets = await dustAssets();
      if (assets === null) throw refusalError('walletNotConfigured');
      const known = names.flatMap((name) => directory.findAsset(name)?.id ?? []);
      const { done, refused } = await submitConversion(context, account.account, known, request);
      const dust = refused.size === 0 ? [] : await queries.wallet.dust(account.account);
      return {
        totalConvert: amountText(assets.token, sumOf(done.map(({ converted }) => converted))),
        convertFee: amountText(assets.token, sumOf(done.map(({ fee }) => fee))),
        successList: done.map(({ asset }) => directory.asset(asset).code),
        failedList: failures({ directory, token: assets.token.id, dust }, names, refused),
      };
    },
    conversions: async ({ startTime, endTime, page, limit }, { account: { account } }) => {
      const now = await awaitHistory(context);
      const window = windowOf({ startTime, endTime, defaultMs: now, reachMs: now }, now);
      const where = { account, line: 0 };
      const [heads, total, assets] = await Promise.all([
        history.page('conversions', where, window, { limit, offset: (page - 1) * limit }),
        history.count('conversions', where, window),
        dustAssets(),
      ]);
      const lines = await linesOf(context, heads);
      const data =
        assets === null
          ? []
          : heads.map(({ conversion }) =>
              conversionEntry(context, directory, assets.token, lines.get(conversion) ?? []),
            );
      return { data, ...pageNumbers(total, page, limit) };
    },
  };
}
