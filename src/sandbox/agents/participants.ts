import type { Command } from '#model/command.ts';
import type { AccountId, AssetId } from '#model/units.ts';
import type { CommandIngress } from '#sequencer/command-ingress.ts';
import { assetProfiles } from '#sandbox/agents/market-profile.ts';
import { demoAccountNamed, type DemoParticipant, demoAccountsOf, liveOpenOrdersMax } from '#sandbox/demo-accounts.ts';
import { submitAll } from '#sandbox/genesis.ts';
import { coins } from '#sandbox/listing.ts';
import { type DemoAccountPorts, openDemoAccount } from '#sandbox/open-demo-accounts.ts';

/** A participant of the simulated market with its account. */
export interface Participant extends Pick<DemoParticipant, 'name' | 'role' | 'tradesContracts'> {
  readonly account: AccountId;
  /** True once the market's history is complete. */
  readonly live: boolean;
}

/** What each coin that a participant begins with is worth, in US dollars; 0: it begins with none. */
export function addedCoinUsd(name: string): number {
  const { code, initialUsd } = assetProfiles[1]!;
  const { funds } = demoAccountNamed(name);
  return (Number(funds.get(code) ?? 0n) / Number(coins(code, 1))) * initialUsd;
}

/** Leverage of those who do not gamble: the last tiers of risk allow it. */
export const calmLeverage = 5;

/**
 * Opens and funds missing participants, those of contracts where there are contracts; the same seed gives the same
 * accounts at every start.
 */
export async function openParticipants(ports: DemoAccountPorts): Promise<readonly Participant[]> {
  const { assets, contracts } = await ports.queries.listing();
  const usdt = assets.find(({ code }) => code === 'USDT')!.id;
  const hasContracts = (contracts ?? []).length > 0;
  const found: Participant[] = [];
  for (const participant of demoAccountsOf('participant')) {
    if (participant.tradesContracts && !hasContracts) continue;
    const { account, openOrdersMax } = (await openDemoAccount(ports, participant))!;
    const live = openOrdersMax === liveOpenOrdersMax;
    if (!live) await enterContracts(ports, participant, { account, asset: usdt });
    const { name, role, tradesContracts } = participant;
    found.push({ name, role, tradesContracts, account, live });
  }
  return found;
}

/** Lets a participant trade contracts: transfers its money to its futures wallet, unless that was done before. */
async function enterContracts(
  { submit, queries }: DemoAccountPorts,
  { futuresUsdt, funds }: DemoParticipant,
  { account, asset }: { readonly account: AccountId; readonly asset: AssetId },
): Promise<void> {
  if (futuresUsdt === 0) return;
  const [spot] = (await queries.balances(account)).filter((balance) => balance.asset === asset);
  if (spot?.free !== funds.get('USDT')) return;
  const amount = coins('USDT', futuresUsdt);
  const contracts = await queries.contracts.all();
  const settings = { account, mode: 'cross', leverage: calmLeverage } as const;
  await submitAll(submit, [
    ...contracts.map(({ id }): Command => ({ kind: 'setLeverage', ...settings, contract: id })),
    { kind: 'transferFunds', account, from: 'spot', to: 'futures', asset, amount, clientTranId: null },
  ]);
}

/** Raises the open-order caps of all participants, which marks the market's history as complete. */
export async function goLive(
  submit: CommandIngress['submit'],
  participants: readonly Participant[],
): Promise<readonly Participant[]> {
  await submitAll(
    submit,
    participants
      .filter((participant) => !participant.live)
      .map(
        (participant): Command => ({
          kind: 'setTradingRules',
          account: participant.account,
          openOrdersMax: liveOpenOrdersMax,
          makerFeePpm: participant.role === 'maker' && !participant.tradesContracts ? 0 : null,
          takerFeePpm: null,
        }),
      ),
  );
  return participants.map((participant) => ({ ...participant, live: true }));
}
