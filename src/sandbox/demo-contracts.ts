import type { Command } from '#model/command.ts';
import type { AssetId } from '#model/units.ts';
import { contractName, contractListing, demoContracts } from '#sandbox/contract-listing.ts';
import { type DemoMarketPorts, submitAll } from '#sandbox/demo-market.ts';
import { coins } from '#sandbox/listing.ts';

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
