import type { AssetRules } from '#model/asset.ts';
import type { Command } from '#model/command.ts';
import type { SymbolRules } from '#model/symbol.ts';
import type { AssetId, Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import { assetProfiles } from '#sandbox/agents/market-profile.ts';
import { type DemoMarketPorts, submitAll } from '#sandbox/genesis.ts';

const dayMs = 86_400_000;
/** How long prices count that stand in for a market: as long as an exchange may run. */
const withoutMarketMs = 36_500 * dayMs;
/** How long they count where the simulated market takes over. */
const firstDayMs = dayMs;
const decimals = 12;

/** The prices with which the demo assets are listed, for their first day: nothing has traded yet. DEC-OPR-131. */
export const firstDemoPrices = (assets: readonly AssetRules[], valuedIn: AssetId): readonly Command[] =>
  assets.flatMap(({ id, code }) => {
    const digits = listedPrice(code);
    return digits === null || id === valuedIn ? [] : [priceCommand(id, digits, firstDayMs)];
  });

/**
 * Keeps reference prices of the demo assets while no market is simulated: those of the last trades, or where there was
 * none those with which the assets are listed. Where the simulated market takes over they are removed. Prices that an
 * operator set are left alone. DEC-OPR-131.
 */
export async function keepDemoPrices(
  { submit, queries }: Pick<DemoMarketPorts, 'submit' | 'queries'>,
  { isSimulated, now }: { readonly isSimulated: boolean; readonly now: number },
): Promise<void> {
  const rules = await queries.wallet.rules();
  if (rules === null) return;
  const { assets } = await queries.listing();
  const commands: Command[] = [];
  for (const { asset, reference } of await queries.wallet.prices()) {
    if (assets[asset]!.isDelisted) continue;
    const left = reference === null ? 0 : reference.validUntil - now;
    const isOwn = reference === null || reference.actor === null;
    if (isSimulated && isOwn && left > firstDayMs)
      commands.push({ kind: 'removeReferencePrice', asset, reason: 'The simulated market has prices.' });
    if (isSimulated || asset === rules.valuedIn || left > (isOwn ? firstDayMs : 0)) continue;
    const digits = await demoPrice(queries, asset, assets[asset]!.code);
    if (digits !== null) commands.push(priceCommand(asset, digits, withoutMarketMs));
  }
  await submitAll(submit, commands);
}

const priceCommand = (asset: AssetId, digits: Balance, validMs: number): Command => ({
  kind: 'setReferencePrice',
  asset,
  digits,
  decimals,
  validMs,
  reason: 'The market of the sandbox does not price it.',
});

/** Price of a whole coin in whole USDT, with 12 decimals; `null`: nobody has an idea of it. */
async function demoPrice(queries: ExchangeQueries, asset: AssetId, code: string): Promise<Balance | null> {
  const { symbols } = await queries.listing();
  const pair = symbols.find(({ base, name }) => base === asset && name === `${code}USDT`);
  const last = pair === undefined ? null : await queries.lastPrice(pair.id);
  return last === null ? listedPrice(code) : tickPrice(pair as SymbolRules, last);
}

const tickPrice = ({ priceDecimals }: SymbolRules, ticks: number): Balance =>
  as<Balance>(BigInt(ticks) * 10n ** BigInt(decimals - priceDecimals));

function listedPrice(code: string): Balance | null {
  const profile = assetProfiles.find((each) => each.code === code);
  if (profile === undefined) return null;
  const [whole, part = ''] = profile.initialUsd.toFixed(decimals).split('.');
  return as<Balance>(BigInt(`${whole}${part}`));
}
