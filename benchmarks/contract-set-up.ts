import type { Command } from '#model/command.ts';
import type { ContractListing } from '#model/contract.ts';
import type { AccountId, AssetId, Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import { walletValuedIn } from './wallet-rules.ts';
import type { Workload } from './workload.ts';
import { setUpCommands } from './workload-exchange.ts';

/** A contract whose bounds no order of a workload meets. A tick of a lot costs as much as in the workload's pair. */
export const contractOf = (base: AssetId, settle: AssetId, name = 'A0_A1'): ContractListing => ({
  ...{ name, base, settle, size: 1, sizeDecimals: 4, priceDecimals: 2, state: 'enabled', minLots: as(1) },
  ...{ maxLots: as(2 ** 40), makerFeePpm: 1000, takerFeePpm: 2000, bidLimitPpm: 1_000_000, askLimitPpm: 1_000_000 },
  fairLimitPpm: 10_000,
  ...{ collarPpm: 50_000, minFundingPpm: -1800, maxFundingPpm: 1800, fundingHours: 8, liquidationFeePpm: 400 },
  tiers: [{ maxLots: as(2 ** 40), maintenancePpm: 4000, initialPpm: 5000, maxLeverage: 200 }],
});

/** Gives an account money in its futures wallet. */
export function* futuresFunds(account: AccountId, asset: AssetId, amount: Balance): Generator<Command> {
  yield { kind: 'creditFunds', account, asset, amount };
  yield { kind: 'transferFunds', account, from: 'spot', to: 'futures', asset, amount, clientTranId: null };
}

/** Where W1 begins: 100,000 ticks of 0.01, in steps of 10^-8. */
const indexOfW1 = 100_000_000_000;

/** The set-up of a workload of one pair, with a contract in its place. */
export function* contractSetUp(workload: Workload): Generator<Command> {
  const settle = as<AssetId>(1);
  const funded = new Set<AccountId>();
  for (const command of setUpCommands(workload)) {
    if (command.kind === 'configureSymbol') continue;
    if (command.kind !== 'creditFunds') {
      yield command;
      continue;
    }
    // Accounts are open by now: the one of the contract's fund comes after them.
    if (funded.size === 0) {
      yield { kind: 'configureContract', contract: contractOf(as(0), settle) };
      yield { kind: 'configureWallet', rules: walletValuedIn(settle) };
      yield { kind: 'updateIndices', prices: [{ contract: as(0), price: indexOfW1 }] };
    }
    if (!funded.has(command.account)) yield* futuresFunds(command.account, settle, command.amount);
    funded.add(command.account);
  }
}
