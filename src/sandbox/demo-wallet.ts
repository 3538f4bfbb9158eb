import { innerHouse } from '#model/account.ts';
import type { Command } from '#model/command.ts';
import { demoAccounts } from '#sandbox/demo-accounts.ts';
import { type DemoMarketPorts, GenesisRefused, submitAll } from '#sandbox/demo-market.ts';
import { firstDemoPrices } from '#sandbox/demo-prices.ts';
import { coins, demoFeeToken } from '#sandbox/listing.ts';
import { demoAssetNetworks, demoWalletRules } from '#sandbox/wallet-listing.ts';

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
async function missingContacts({
  queries,
  seed,
}: Pick<DemoMarketPorts, 'queries' | 'seed'>): Promise<readonly Command[]> {
  const commands: Command[] = [];
  for (const { name, uid } of demoAccounts(seed)) {
    const account = (await queries.accountByUid(uid))?.account;
    if (account === undefined || (await queries.wallet.contact(account)) !== null) continue;
    commands.push({ kind: 'setContact', account, email: `${name}@example.com`, mobile: `44 ${uid}` });
  }
  return commands;
}
