import type { AssetRules } from '#model/asset.ts';
import type { Command } from '#model/command.ts';
import { contractFault } from '#model/contract-fault.ts';
import { symbolFault } from '#model/symbol-fault.ts';
import type { AccountId, Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import { assetProfiles } from '#sandbox/agents/market-profile.ts';
import { addedCoinUsd, calmLeverage } from '#sandbox/agents/participants.ts';
import { demoAccountsOf } from '#sandbox/demo-accounts.ts';
import { coins } from '#sandbox/listing.ts';
import type { MarketControls } from '#sandbox/market-controls.ts';
import { newAsset, newContract, newPair, usdBounds } from '#sandbox/new-markets/listing-defaults.ts';
import { knownDemoAccount } from '#sandbox/open-demo-accounts.ts';

/** What opening a market needs. */
export interface MarketOpeningPorts {
  /** Applies a command. @throws what refuses it */
  readonly submit: (command: Command) => Promise<unknown>;
  readonly queries: ExchangeQueries;
  readonly controls: Pick<MarketControls, 'seed' | 'worthOf' | 'takeUpListing'>;
}

/** A pair that is to be opened. */
export interface AskedPair {
  readonly base: string;
  readonly quote: string;
  /** Of a whole base coin in the quote coin; `null`: the traders know what the base is worth. */
  readonly price: number | null;
  readonly fullName: string | null;
  /** Whole coins of the base that each demo account with money gets; 0: none. */
  readonly grantCoins: number;
}

/** Why a market cannot be opened: a member of what was asked for, and what it must be. */
export class MarketRefused extends Error {
  override name = 'MarketRefused';
  readonly member: string;
  constructor(member: string, must: string) {
    super(must);
    this.member = member;
  }
}

const dayMs = 86_400_000;
const priceDecimals = 12;
const fundCoins = 500_000;
const settleCode = 'USDT';
/** What each demo account may get: the caps of new coins leave room for it. */
const grantUsdMost = 1_000_000_000;
const reason = 'A market was opened on demand.';

const assetNamed = async ({ queries }: MarketOpeningPorts, code: string): Promise<AssetRules | null> =>
  (await queries.listing()).assets.find((asset) => asset.code === code && !asset.isDelisted) ?? null;

/** What a whole coin of the base is worth. @throws MarketRefused */
function worthOfBase({ controls }: MarketOpeningPorts, { base, quote, price }: AskedPair): number {
  const quoteUsd = controls.worthOf(quote);
  if (quoteUsd === null) throw new MarketRefused('quote', 'must be an asset that the traders value');
  const known = controls.worthOf(base);
  if (known !== null && price !== null) throw new MarketRefused('price', `must be left out: the traders value ${base}`);
  if (known === null && price === null) throw new MarketRefused('price', 'is missing');
  const usd = known ?? price! * quoteUsd;
  const { least, most } = usdBounds;
  if (usd < least || usd > most)
    throw new MarketRefused('price', `must make a coin worth from ${least} to ${most} dollars`);
  return usd;
}

/**
 * Lists a coin, if it is not listed, and a pair of it that is open; the traders get coins of it, know what it is worth
 * and trade it, after a restart too. What was begun and failed is completed by asking again. DEC-KIT-54.
 * @throws MarketRefused before anything happens.
 */
export async function openPair(ports: MarketOpeningPorts, asked: AskedPair): Promise<{ readonly name: string }> {
  const { submit, controls } = ports;
  const usd = worthOfBase(ports, asked);
  if (assetProfiles.some(({ code }) => code === asked.base))
    throw new MarketRefused('base', 'must be a coin that the sandbox does not begin with');
  if (asked.grantCoins * usd > grantUsdMost)
    throw new MarketRefused('grant', `must be worth at most ${grantUsdMost} dollars`);
  const listed = await assetNamed(ports, asked.base);
  const fullName = asked.fullName ?? listed?.fullName ?? asked.base;
  const asset = { ...newAsset(asked.base, fullName, usd), id: as<AssetRules['id']>(-1), isDelisted: false };
  const terms = { price: usd / controls.worthOf(asked.quote)!, baseUsd: usd, fullName };
  await requireSoundPair(ports, { ...terms, base: listed ?? asset, quote: (await assetNamed(ports, asked.quote))! });
  if (listed === null) await submit({ kind: 'configureAsset', asset: newAsset(asked.base, fullName, usd) });
  const base = (await assetNamed(ports, asked.base))!;
  await fundTraders(ports, base, usd);
  await grantDemoAccounts(ports, base, asked.grantCoins);
  const symbol = newPair({ ...terms, base, quote: (await assetNamed(ports, asked.quote))! });
  await submit({ kind: 'configureSymbol', symbol });
  await controls.takeUpListing();
  return { name: symbol.name };
}

/** @throws MarketRefused */
async function requireSoundPair({ queries }: MarketOpeningPorts, terms: Parameters<typeof newPair>[0]): Promise<void> {
  const { base, quote, price } = terms;
  const symbol = newPair(terms);
  const fault = symbolFault(symbol, { listed: null, base, quote });
  if (fault !== null) throw new MarketRefused(fault.member === 'name' ? 'base' : 'price', fault.detail);
  if (price * 10 ** symbol.priceDecimals < ticksLeast)
    throw new MarketRefused('price', `must be at least ${ticksLeast / 10 ** symbol.priceDecimals} ${quote.code}`);
  const { symbols } = await queries.listing();
  const isTaken = symbols.some(
    (each) => each.name === symbol.name || (each.base === base.id && each.quote === quote.id),
  );
  if (isTaken) throw new MarketRefused('quote', `must not make ${symbol.name}, which is or was listed`);
}
/** A price has at least so many ticks, so that there is room for a spread. */
const ticksLeast = 1000;

/** Gives participants of pairs coins of a new asset, and says what it is worth, unless they have some. */
async function fundTraders(
  { submit, queries, controls: { seed } }: MarketOpeningPorts,
  asset: AssetRules,
  usd: number,
): Promise<void> {
  const commands: Command[] = [];
  for (const participant of demoAccountsOf('participant')) {
    const worth = addedCoinUsd(participant.name);
    const view = worth === 0 ? null : await knownDemoAccount({ queries, seed }, participant);
    if (view === null || (await ownedBy(queries, view.account, asset)) > 0n) continue;
    commands.push({
      kind: 'creditFunds',
      account: view.account,
      asset: asset.id,
      amount: amountOf(asset, worth / usd),
    });
  }
  if (commands.length === 0) return;
  const total = commands.reduce((sum, command) => sum + (command.kind === 'creditFunds' ? command.amount : 0n), 0n);
  if (total > (await queries.wallet.roomUnderCap(asset.id)))
    throw new MarketRefused('base', 'has a cap that leaves no room for what the traders need');
  const digits = as<Balance>(BigInt(Math.max(1, Math.round(usd * 1e6))) * 10n ** BigInt(priceDecimals - 6));
  const worth = { asset: asset.id, digits, decimals: priceDecimals, validMs: dayMs, reason };
  await submit({ kind: 'setReferencePrice', ...worth });
  for (const command of commands) await submit(command);
}

const amountOf = ({ scale }: AssetRules, coinCount: number): Balance =>
  as<Balance>((BigInt(Math.round(coinCount * 1e6)) * 10n ** BigInt(scale)) / 1_000_000n);

async function ownedBy(queries: ExchangeQueries, account: AccountId, { id }: AssetRules): Promise<bigint> {
  const balance = (await queries.balances(account)).find(({ asset }) => asset === id);
  return balance === undefined ? 0n : balance.free + balance.held;
}

async function grantDemoAccounts(
  { submit, queries, controls: { seed } }: MarketOpeningPorts,
  asset: AssetRules,
  grantCoins: number,
): Promise<void> {
  if (grantCoins === 0) return;
  for (const person of demoAccountsOf('person')) {
    const view = person.funds.size === 0 ? null : await knownDemoAccount({ queries, seed }, person);
    if (view === null || (await ownedBy(queries, view.account, asset)) > 0n) continue;
    await submit({ kind: 'creditFunds', account: view.account, asset: asset.id, amount: amountOf(asset, grantCoins) });
  }
}

/**
 * Lists a contract on a coin that the traders value, settled in USDT, and enables it: its insurance fund has money, its
 * index is that of the pair, and the traders trade it, after a restart too. DEC-KIT-55.
 * @throws MarketRefused before anything happens.
 */
export async function openContract(ports: MarketOpeningPorts, baseCode: string): Promise<{ readonly name: string }> {
  const { submit, queries, controls } = ports;
  const { seed } = controls;
  const usd = controls.worthOf(baseCode);
  const [base, settle] = [await assetNamed(ports, baseCode), (await assetNamed(ports, settleCode))!];
  if (usd === null || base === null) throw new MarketRefused('base', 'must be an asset that the traders value');
  const { symbols } = await queries.listing();
  const hasPair = symbols.some((pair) => pair.base === base.id && pair.quote === settle.id && pair.status === 'online');
  if (!hasPair) throw new MarketRefused('base', `must have a pair with ${settleCode} that is online, for the index`);
  const contract = newContract(base, settle, usd);
  const known = (await queries.contracts.all()).find(({ name }) => name === contract.name) ?? null;
  if (known !== null) throw new MarketRefused('base', `must not make ${contract.name}, which is listed`);
  const fault = contractFault(contract, null, settle.scale);
  if (fault !== null) throw new MarketRefused('base', `makes a contract whose ${fault.member} ${fault.detail}`);
  await submit({ kind: 'configureContract', contract });
  const { id } = (await queries.contracts.all()).find(({ name }) => name === contract.name)!;
  await submit({ kind: 'fundInsurance', contract: id, amount: coins(settleCode, fundCoins) });
  for (const participant of demoAccountsOf('participant')) {
    const view = participant.futuresUsdt === 0 ? null : await knownDemoAccount({ queries, seed }, participant);
    if (view === null) continue;
    const settings = { account: view.account, contract: id, mode: 'cross', leverage: calmLeverage } as const;
    await submit({ kind: 'setLeverage', ...settings });
  }
  await controls.takeUpListing();
  return { name: contract.name };
}
