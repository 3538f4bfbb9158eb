import type { AssetRules } from '#model/asset.ts';
import { type FeeTier, feeTierFault, type FeeTierTable, reachedTier } from '#model/fee-tier.ts';
import { as, type TimestampMs } from '#model/units.ts';
import { accountOfUid } from '#operator-api/accounts/find-account.ts';
import type { feeTierEndpoints } from '#operator-api/spot/fee-tier-endpoints.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { brokenRule, invalidBody, Problem } from '#operator-api/requests/problems.ts';
import { amountText, type ListedAssets, listedAssets, readAmount } from '#operator-api/wallet/listed-assets.ts';
import type { z } from 'zod';

type Endpoints = typeof feeTierEndpoints;
type Sent = z.output<Endpoints['putFeeTiers']['body']>['tiers'];

/** The assets that tiers are counted in. */
interface Counted {
  readonly valuedIn: AssetRules;
  /** `null`: there is no platform token. */
  readonly token: AssetRules | null;
}

const pointers = { volume: 'volume', tokens: 'tokenBalance', makerFeePpm: 'makerFeePpm', takerFeePpm: 'takerFeePpm' };

/** Reads tiers. @throws Problem that names the member at fault. */
function readTiers(sent: Sent, { valuedIn, token }: Counted): FeeTier[] {
  const tiers = sent.map(({ volume, tokenBalance, makerFeePpm, takerFeePpm }, index): FeeTier => {
    const at = (member: string): string => `/tiers/${index}/${member}`;
    if (tokenBalance !== null && token === null) throw brokenRule(at('tokenBalance'), 'needs a platform token');
    return {
      volume: volume === null ? null : readAmount(volume, valuedIn, at('volume')),
      tokens:
        tokenBalance === null || token === null
          ? null
          : { asset: token.id, amount: readAmount(tokenBalance, token, at('tokenBalance')) },
      makerFeePpm,
      takerFeePpm,
    };
  });
  const fault = feeTierFault(tiers, token?.id ?? null);
  if (fault !== null) throw brokenRule(`/tiers/${fault.tier}/${pointers[fault.member]}`, fault.detail);
  return tiers;
}

/** The token that tiers name, or that is the platform's now. */
async function tokenOf({ queries }: OperatorContext, assets: ListedAssets, table: FeeTierTable | null) {
  const named = table?.tiers.find(({ tokens }) => tokens !== null)?.tokens ?? null;
  const asset = named?.asset ?? (await queries.listing()).feeToken?.token ?? null;
  return asset === null ? null : assets.at(asset);
}

/** What is missing to the tier above what is met; `null`: there is none. */
function missing(tiers: readonly FeeTier[], met: { readonly volume: bigint; readonly tokens: bigint }) {
  const tier = reachedTier(tiers, met.volume, met.tokens) + 1;
  const above = tiers[tier - 1];
  if (above === undefined) return null;
  return {
    tier,
    volume: above.volume === null ? null : above.volume - met.volume,
    tokens: above.tokens === null ? null : above.tokens.amount - met.tokens,
  };
}

/** Handlers of fee tiers. */
export function feeTierHandlers(context: OperatorContext): HandlersOf<Endpoints> {
  const { queries, clock } = context;
  const answer = async () => {
    const set = await queries.feeTiers.table();
    if (set === null) return { enabled: false, tiers: [], valuedIn: null, nextAt: null };
    const assets = await listedAssets(queries);
    const valuedIn = assets.at(set.table.valuedIn);
    const tiers = set.table.tiers.map(({ volume, tokens, makerFeePpm, takerFeePpm }) => ({
      volume: volume === null ? null : amountText(volume, valuedIn),
      tokenBalance: tokens === null ? null : amountText(tokens.amount, assets.at(tokens.asset)),
      makerFeePpm,
      takerFeePpm,
    }));
    return { enabled: true, tiers, valuedIn: valuedIn.code, nextAt: set.nextAt };
  };
  return {
    getFeeTiers: answer,
    putFeeTiers: async ({ body, act }) => {
      if (!body.enabled && body.tiers.length > 0) throw invalidBody('/tiers', 'must be empty where enabled is false');
      let table: FeeTierTable | null = null;
      if (body.enabled) {
        const assets = await listedAssets(queries);
        const rules = await queries.wallet.rules();
        if (rules === null) throw new Problem('walletNotConfigured');
        const { feeToken } = await queries.listing();
        const token = feeToken === null ? null : assets.at(feeToken.token);
        const valuedIn = assets.at(rules.valuedIn);
        table = { valuedIn: valuedIn.id, tiers: readTiers(body.tiers, { valuedIn, token }) };
      }
      await act({ kind: 'setFeeTiers', table });
      return answer();
    },
    getFeeTierOfAccount: async ({ path }) => {
      const { account } = await accountOfUid(queries, path.uid);
      const set = await queries.feeTiers.table();
      if (set === null) throw new Problem('noFeeTiers');
      const assets = await listedAssets(queries);
      const valuedIn = assets.at(set.table.valuedIn);
      const token = await tokenOf(context, assets, set.table);
      const { master, tier, counted, present } = await queries.feeTiers.ofAccount(
        account,
        as<TimestampMs>(clock.now()),
      );
      const tokenText = (amount: bigint): string => (token === null ? '0' : amountText(amount, token));
      const shown = ({ volume, tokens }: typeof present) => ({
        volume: amountText(volume, valuedIn),
        tokenBalance: tokenText(tokens),
      });
      const next = missing(set.table.tiers, present);
      return {
        masterUid: (await queries.account(master))!.uid,
        tier: tier?.tier ?? null,
        makerFeePpm: tier?.makerFeePpm ?? null,
        takerFeePpm: tier?.takerFeePpm ?? null,
        since: tier?.since ?? null,
        counted: counted === null ? null : shown(counted),
        present: shown(present),
        next:
          next === null ? null : shownNext(next, { volume: (each) => amountText(each, valuedIn), tokens: tokenText }),
      };
    },
  };
}

/** How amounts of either way are written. */
interface Texts {
  readonly volume: (amount: bigint) => string;
  readonly tokens: (amount: bigint) => string;
}

const shownNext = ({ tier, volume, tokens }: NonNullable<ReturnType<typeof missing>>, texts: Texts) => ({
  tier,
  volumeMissing: volume === null ? null : texts.volume(volume),
  tokenBalanceMissing: tokens === null ? null : texts.tokens(tokens),
});
