import { innerHouse } from '#model/account.ts';
import type { Command } from '#model/command.ts';
import type { AssetId } from '#model/units.ts';
import { contractListing, contractName, demoContracts } from '#sandbox/contract-listing.ts';
import { demoAccountsOf, peopleKeys } from '#sandbox/demo-accounts.ts';
import { firstDemoPrices } from '#sandbox/demo-prices.ts';
import { type DemoMarketPorts, GenesisRefused, submitAll } from '#sandbox/genesis.ts';
import { coins, demoAssets, demoFeeToken, demoPairs, symbolListing } from '#sandbox/listing.ts';
import { createMissingKeys, knownDemoAccount, openDemoAccounts } from '#sandbox/open-demo-accounts.ts';
import { demoAssetNetworks, demoWalletRules } from '#sandbox/wallet-listing.ts';

/*
 * What is listed in the sandbox is listed by commands, in the order of this file: each part marks itself as complete,
 * so a later start does nothing, and one after an interruption adds what is missing.
 */

/** Codes are made once there is a wallet, see `openDemoMembers`. */
const beforeAllCodes = Number.POSITIVE_INFINITY;

/**
 * Creates the demo market by commands: assets, symbols, funded accounts, keys. The platform token is configured last
 * and marks the market as complete: a later start does nothing, a start after an interruption adds what is missing.
 * @throws GenesisRefused when the data directory already holds another market under the same names.
 */
export async function openDemoMarket(ports: DemoMarketPorts): Promise<void> {
  if ((await ports.queries.listing()).feeToken !== null) return;
  const assetIds = await listAssetsAndSymbols(ports);
  await openDemoAccounts(ports, demoAccountsOf('person'), beforeAllCodes);
  await createMissingKeys(ports, peopleKeys(ports.seed));
  await submitAll(ports.submit, [
    {
      kind: 'configureFeeToken',
      token: assetIds.get(demoFeeToken.token) as AssetId,
      valuedIn: assetIds.get(demoFeeToken.valuedIn) as AssetId,
      discountPpm: demoFeeToken.discountPpm,
    },
  ]);
}

/** Whether the market and its wallet were opened, both to their end. */
export const isMarketOpen = async ({ queries }: Pick<DemoMarketPorts, 'queries'>): Promise<boolean> =>
  (await queries.listing()).feeToken !== null && (await queries.wallet.rules()) !== null;

async function listAssetsAndSymbols(ports: DemoMarketPorts): Promise<ReadonlyMap<string, AssetId>> {
  const before = await ports.queries.listing();
  const known = new Set(before.assets.map((asset) => asset.code));
  await submitAll(
    ports.submit,
    demoAssets.filter((asset) => !known.has(asset.code)).map((asset) => ({ kind: 'configureAsset', asset })),
  );
  const after = await ports.queries.listing();
  const ids = new Map(after.assets.map((asset) => [asset.code, asset.id]));
  const listed = new Set(after.symbols.map((symbol) => symbol.name));
  await submitAll(
    ports.submit,
    demoPairs
      .filter((pair) => !listed.has(pair.name))
      .map((pair) => ({ kind: 'configureSymbol', symbol: symbolListing(pair, (code) => ids.get(code) as AssetId) })),
  );
  return ids;
}

/** Platform token with which the house begins to buy dust. DEC-WAL-36. */
const dustFunds = 100_000;

/**
 * Opens the wallet of the demo market by commands: networks, the contacts of the demo accounts, the funds of the house,
 * prices, rules. The rules come last and mark it as complete, as in `openDemoMarket`; a sandbox that was made before
 * there was a wallet gets it at its next start.
 */
export async function openDemoWallet(ports: Pick<DemoMarketPorts, 'submit' | 'queries' | 'seed'>): Promise<void> {
  const { submit, queries } = ports;
  if ((await queries.wallet.rules()) !== null) return;
  const { assets } = await queries.listing();
  const token = assets.find(({ code }) => code === demoFeeToken.token);
  const usdt = assets.find(({ code }) => code === demoFeeToken.valuedIn);
  if (token === undefined || usdt === undefined) throw new GenesisRefused('opening the demo wallet: no platform token');
  const known = await queries.wallet.networks();
  const missing = demoAssetNetworks(assets).filter(
    ({ asset, network }) => !known.some((each) => each.asset === asset && each.network === network),
  );
  await submitAll(
    submit,
    missing.map((network): Command => ({ kind: 'configureAssetNetwork', network })),
  );
  await submitAll(submit, await missingContacts(ports));
  if ((await queries.houseBalance(innerHouse.dust, token.id)) === 0n) {
    const amount = coins(token.code, dustFunds);
    await submitAll(submit, [{ kind: 'creditFunds', account: innerHouse.dust, asset: token.id, amount }]);
  }
  await submitAll(submit, firstDemoPrices(assets, usdt.id));
  await submitAll(submit, [{ kind: 'configureWallet', rules: demoWalletRules(usdt) }]);
}

/** How people can name the demo accounts when they send money to them. */
async function missingContacts(ports: Pick<DemoMarketPorts, 'queries' | 'seed'>): Promise<readonly Command[]> {
  const commands: Command[] = [];
  for (const person of demoAccountsOf('person')) {
    const view = await knownDemoAccount(ports, person);
    if (view === null || (await ports.queries.wallet.contact(view.account)) !== null) continue;
    const { account, uid } = view;
    commands.push({ kind: 'setContact', account, email: `${person.name}@example.com`, mobile: `44 ${uid}` });
  }
  return commands;
}

/** What the insurance fund of each contract begins with, in its settle coin. DEC-FUT-18. */
const fundCoins = 500_000;

/**
 * Lists the contracts of the sandbox and gives each insurance fund its money, unless that was done; a sandbox that was
 * made before there were contracts gets them at its next start. A fund that was used up stays so: it is given money
 * only before the first index price. The demo wallet must be open. DEC-FUT-66, DEC-FUT-67.
 * @throws GenesisRefused
 */
export async function openDemoContracts({
  submit,
  queries,
}: Pick<DemoMarketPorts, 'submit' | 'queries'>): Promise<void> {
  const { assets } = await queries.listing();
  const idOf = (code: string): AssetId => assets.find((asset) => asset.code === code)!.id;
  const listed = new Set((await queries.contracts.all()).map(({ name }) => name));
  const missing = demoContracts.filter((contract) => !listed.has(contractName(contract)));
  await submitAll(
    submit,
    missing.map((contract): Command => ({ kind: 'configureContract', contract: contractListing(contract, idOf) })),
  );
  const ours = new Map(demoContracts.map((contract) => [contractName(contract), contract.settle]));
  for (const { id, name } of await queries.contracts.all()) {
    const settle = ours.get(name);
    const mark = await queries.contracts.mark(id);
    if (settle === undefined || mark === null || mark.at !== 0 || mark.fund !== 0n) continue;
    await submitAll(submit, [{ kind: 'fundInsurance', contract: id, amount: coins(settle, fundCoins) }]);
  }
}
