import type { z } from 'zod';
import { adjustableHouse, type AdjustableHouse, type Adjustment } from '#model/adjustment.ts';
import type { AssetRules } from '#model/asset.ts';
import type { CommandOf } from '#model/command.ts';
import { type AccountId, as, type Balance, type TimestampMs } from '#model/units.ts';
import type { AdjustmentRow } from '#history/tables/wallet-tables.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import { accountOfBody, accountOfUid, uidOf } from '#operator-api/accounts/find-account.ts';
import type { HandlerRequest, HandlersOf } from '#operator-api/handlers.ts';
import type { adjustmentEndpoints } from '#operator-api/money/adjustment-endpoints.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { createProposing } from '#operator-api/requests/act.ts';
import { createPast, numbersOf, pageOfPast } from '#operator-api/requests/paging.ts';
import { invalidBody, invalidParameter, Problem } from '#operator-api/requests/problems.ts';
import { amountText, listedAssets, readPositiveAmount, type ListedAssets } from '#operator-api/wallet/listed-assets.ts';

type Endpoints = typeof adjustmentEndpoints;
type Body = HandlerRequest<Endpoints['makeAdjustment']>['body'];
type Shown = z.input<Endpoints['getAdjustment']['answer']>;
type AdjustBalance = CommandOf<'adjustBalance'>;

const houseAccounts = Object.entries(adjustableHouse) as readonly (readonly [AdjustableHouse, AccountId])[];
const houseNameOf = (account: AccountId): AdjustableHouse | null =>
  houseAccounts.find(([, each]) => each === account)?.[0] ?? null;

/** Whose balance it is, in the words of requests: a uid and a wallet, or a house account. */
async function ownerOf(queries: ExchangeQueries, { account, wallet }: Pick<Adjustment, 'account' | 'wallet'>) {
  if (wallet === null) return { uid: null, wallet, house: houseNameOf(account) };
  return { uid: await uidOf(queries, account), wallet, house: null };
}

/** What an adjustment would change, as the endpoint takes it: for the proposal that it waits as. */
export async function shownTerms(queries: ExchangeQueries, assets: ListedAssets, command: AdjustBalance) {
  const { asset, amount, type: kind, reason, reference } = command;
  const rules = assets.at(asset);
  const owner = await ownerOf(queries, command);
  return { ...owner, asset: rules.code, amount: amountText(amount, rules), kind, reason, reference };
}

async function shown(queries: ExchangeQueries, assets: ListedAssets, made: AdjustmentRow | Adjustment): Promise<Shown> {
  const { adjustment, madeBy, approvedBy, proposal, at, asset, amount, type: kind, reason, reference } = made;
  const rules = assets.at(asset);
  return {
    adjustment,
    ...(await ownerOf(queries, made)),
    ...{ asset: rules.code, amount: amountText(amount, rules), kind, reason, reference },
    ...{ madeBy, approvedBy, proposal, at },
  };
}

/** A signed amount; only a correction may take. @throws Problem naming the member. */
function readChange({ amount: text, kind }: Body, asset: AssetRules): Balance {
  const isTaking = text.startsWith('-');
  if (isTaking && kind !== 'correction') throw invalidBody('/amount', 'must be above zero unless it is a correction');
  const amount = readPositiveAmount(isTaking ? text.slice(1) : text, asset, '/amount');
  return isTaking ? as<Balance>(-amount) : amount;
}

/** House accounts that a kind may name; `null`: those that are no `revenue`, and wallets of accounts. DEC-OPR-181. */
const housesOfKind: Readonly<Record<Body['kind'], readonly AdjustableHouse[] | null>> = {
  credit: null,
  debit: null,
  correction: null,
  capitalIn: ['capital', 'gas', 'dust'],
  revenueOut: ['fees'],
};

/** Whose balance a request names. @throws Problem naming the member. */
async function readOwner(queries: ExchangeQueries, { uid, wallet, house, kind }: Body) {
  if (uid !== undefined && house !== undefined) throw invalidBody('/house', 'must not be given with uid');
  if (house === undefined && uid === undefined) throw invalidBody('/uid', 'must be given, or house');
  const houses = housesOfKind[kind];
  if (house === undefined) {
    if (houses !== null) throw invalidBody('/house', `must be one of ${houses.join(', ')} for ${kind}`);
    return { account: (await accountOfBody(queries, uid!, '/uid')).account, wallet: wallet ?? 'spot' } as const;
  }
  if (wallet !== undefined) throw invalidBody('/wallet', 'must be given with uid alone');
  if (houses !== null && !houses.includes(house))
    throw invalidBody('/house', `must be one of ${houses.join(', ')} for ${kind}`);
  if (house === 'revenue' && kind !== 'correction')
    throw invalidBody('/house', 'must be another one: revenue is only corrected');
  return { account: adjustableHouse[house], wallet: null } as const;
}

/** The refusal with what is there, where money lacks. */
async function explained(error: unknown, queries: ExchangeQueries, asset: AssetRules, command: AdjustBalance) {
  if (!(error instanceof Problem)) return error;
  const { account, wallet } = command;
  const text = (amount: bigint): string => `${amountText(amount, asset)} ${asset.code}`;
  const told = async (): Promise<string | null> => {
    if (error.code === 'notEnoughFunds')
      return `it has ${text(await queries.subAccounts.transferable(account, wallet!, asset.id))} free`;
    if (error.code !== 'houseHasTooLittle') return null;
    const equity = `the house owns ${text(await queries.wallet.houseEquity(asset.id))} after all that it owes`;
    const has = wallet === null ? `it has ${text(BigInt(await queries.houseBalance(account, asset.id)))}; ` : '';
    return `${has}${equity}`;
  };
  const detail = await told();
  if (detail === null) return error;
  const title = error.message.replace(/\.$/, '');
  return new Problem(error.code, { detail: `${title}: ${detail}.`, errors: [{ pointer: '/amount', detail }] });
}

/** Handlers of adjustments. */
export function adjustmentHandlers(context: OperatorContext): HandlersOf<Endpoints> {
  const { queries } = context;
  const past = createPast(context);
  const propose = createProposing(context);
  return {
    makeAdjustment: async (request) => {
      const { body, operator, idempotencyKey } = request;
      const assets = await listedAssets(queries);
      const asset = assets.ofBody(body.asset, '/asset');
      const { kind: type, reason, reference = null } = body;
      const owner = await readOwner(queries, body);
      const amount = readChange(body, asset);
      const command = { kind: 'adjustBalance', ...owner, asset: asset.id, amount, type, reason, reference } as const;
      const made: { adjustment: Adjustment | null } = { adjustment: null };
      try {
        const proposed = await propose(request, command, (event) => {
          if (event.kind === 'balanceAdjusted') made.adjustment = event.adjustment;
        });
        if (proposed !== null) return proposed;
      } catch (error) {
        throw await explained(error, queries, asset, command);
      }
      made.adjustment ??= await queries.wallet.adjustmentOfKey(operator.actor, idempotencyKey ?? '');
      if (made.adjustment === null) throw new Problem('outcomeUnknown');
      return shown(queries, assets, made.adjustment);
    },
    listAdjustments: async ({ query }) => {
      const { uid, house, asset: code, kind, limit, cursor } = query;
      const assets = await listedAssets(queries);
      const asset = code === undefined ? null : assets.find(code);
      if (code !== undefined && asset === null) throw invalidParameter('asset', 'must be a listed asset');
      if (uid !== undefined && house !== undefined) throw invalidParameter('house', 'must not be given with uid');
      const account = uid === undefined ? null : (await accountOfUid(queries, uid)).account;
      const last = numbersOf(cursor, 2);
      const where = {
        ...(account === null ? {} : { account }),
        ...(house === undefined ? {} : { account: adjustableHouse[house] }),
        ...(asset === null ? {} : { asset: asset.id }),
        ...(kind === undefined ? {} : { type: kind }),
      };
      const before = last && { at: as<TimestampMs>(last[0]!), adjustment: last[1]! };
      const rows = await past.page('adjustments', where, query, { limit, before });
      const items = await Promise.all(rows.map((row) => shown(queries, assets, row)));
      return pageOfPast(items, limit, { item: (item) => item, numbers: ({ at, adjustment }) => [at, adjustment] });
    },
    getAdjustment: async ({ path: { adjustment } }) => {
      const assets = await listedAssets(queries);
      const recent = await queries.wallet.adjustment(adjustment);
      if (recent !== null) return shown(queries, assets, recent);
      const [row] = await past.page('adjustments', { adjustment }, {}, { limit: 1, before: null });
      if (row === undefined) throw new Problem('unknownAdjustment');
      return shown(queries, assets, row);
    },
  };
}
