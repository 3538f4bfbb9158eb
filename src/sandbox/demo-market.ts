import type { Command } from '#model/command.ts';
import type { PermissionSet } from '#model/permission.ts';
import type { AccountId, AssetId, Balance, Uid } from '#model/units.ts';
import type { CommandIngress, Outcome } from '#sequencer/command-ingress.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import type { DemoAccount, DemoKey } from '#sandbox/demo-accounts.ts';
import { demoAccounts, demoKeys } from '#sandbox/demo-accounts.ts';
import { demoAssets, demoFeeToken, demoPairs, symbolListing } from '#sandbox/listing.ts';

/** What a sealed secret is bound to, so that a blob cannot be moved to another key. */
export interface SecretToSeal {
  readonly accessKey: string;
  readonly uid: Uid;
  readonly account: AccountId;
  readonly permissions: PermissionSet;
  readonly ips: readonly string[];
  readonly secret: string;
}
/** Answers the sealed form that the journal may hold. */
export type SealSecret = (key: SecretToSeal) => string | Promise<string>;

/** What opening the demo market needs of a running exchange. */
export interface DemoMarketPorts {
  readonly submit: CommandIngress['submit'];
  readonly queries: ExchangeQueries;
  readonly seal: SealSecret;
  readonly seed: string;
}

/** The engine refused a command that opens the demo market; the data directory holds something else. */
export class GenesisRefused extends Error {
  override name = 'GenesisRefused';
}

/** Submits the commands at once, so that they share journal batches. @throws GenesisRefused on a refusal. */
export async function submitAll(
  submit: CommandIngress['submit'],
  commands: readonly Command[],
): Promise<readonly Outcome[]> {
  const outcomes = await Promise.all(commands.map((command) => submit(command)));
  outcomes.forEach((outcome, index) => {
    const refusal = outcome.events.find((event) => event.kind === 'commandRefused');
    if (refusal?.kind === 'commandRefused') {
      throw new GenesisRefused(`opening the demo market: ${commands[index]?.kind} was refused (${refusal.reason})`);
    }
  });
  return outcomes;
}

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

/** Opens an account unless it exists and credits missing funds. Answers the engine's account number. */
export async function openFundedAccount(
  ports: Pick<DemoMarketPorts, 'submit' | 'queries'>,
  person: DemoAccount & { readonly simulated: boolean },
  assetIds: ReadonlyMap<string, AssetId>,
): Promise<AccountId> {
  let view = await ports.queries.accountByUid(person.uid);
  if (view === null) {
    await submitAll(ports.submit, [
      {
        kind: 'openAccount',
        uid: person.uid,
        name: person.name,
        master: null,
        class: person.class,
        kycLevel: person.kycLevel,
        simulated: person.simulated,
      },
    ]);
    view = await ports.queries.accountByUid(person.uid);
  }
  if (view === null) throw new GenesisRefused(`opening the demo market: no account ${person.name} after it was opened`);
  const account = view.account;
  const has = new Set((await ports.queries.balances(account)).map((balance) => balance.asset));
  const credits = [...person.funds]
    .map(([code, amount]) => ({ asset: assetIds.get(code) as AssetId, amount: amount as Balance }))
    .filter((credit) => !has.has(credit.asset))
    .map((credit): Command => ({ kind: 'creditFunds', account, ...credit }));
  await submitAll(ports.submit, credits);
  return account;
}

/** Creates those keys that are not there yet; their accounts are. @throws GenesisRefused */
export async function createMissingKeys(
  { submit, queries, seal }: Omit<DemoMarketPorts, 'seed'>,
  keys: readonly DemoKey[],
): Promise<void> {
  for (const { name, uid, accessKey, secretKey, permissions } of keys) {
    if ((await queries.apiKey(accessKey)) !== null) continue;
    const { account } = (await queries.accountByUid(uid))!;
    const bound = { accessKey, account, permissions, ips: [] };
    const sealedSecret = await seal({ ...bound, uid, secret: secretKey });
    await submitAll(submit, [{ kind: 'createApiKey', ...bound, sealedSecret, note: name, unboundLifeMs: null }]);
  }
}

/**
 * Creates the demo market by commands: assets, symbols, funded accounts, keys. The platform token is configured last
 * and marks the market as complete: a later start does nothing, a start after an interruption adds what is missing.
 * @throws GenesisRefused when the data directory already holds another market under the same names.
 */
export async function openDemoMarket(ports: DemoMarketPorts): Promise<void> {
  if ((await ports.queries.listing()).feeToken !== null) return;
  const assetIds = await listAssetsAndSymbols(ports);
  for (const person of demoAccounts(ports.seed))
    await openFundedAccount(ports, { ...person, simulated: false }, assetIds);
  await createMissingKeys(ports, demoKeys(ports.seed));
  await submitAll(ports.submit, [
    {
      kind: 'configureFeeToken',
      token: assetIds.get(demoFeeToken.token) as AssetId,
      valuedIn: assetIds.get(demoFeeToken.valuedIn) as AssetId,
      discountPpm: demoFeeToken.discountPpm,
    },
  ]);
}
