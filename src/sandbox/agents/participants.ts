import type { Command } from '#model/command.ts';
import type { AccountId, AssetId, Balance } from '#model/units.ts';
import type { CommandIngress } from '#sequencer/command-ingress.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import { firstParticipantPlace } from '#sandbox/demo-accounts.ts';
import { demoUid } from '#sandbox/demo-identity.ts';
import { openFundedAccount, submitAll } from '#sandbox/demo-market.ts';
import { coins, demoAssets } from '#sandbox/listing.ts';
import { assetProfiles } from '#sandbox/agents/market-profile.ts';

/** Accounts that take positions with much leverage. */
export const gamblerNames = ['gambler-1', 'gambler-2', 'gambler-3', 'gambler-4', 'gambler-5', 'gambler-6'] as const;
/** Roles in contracts; they are there as soon as contracts are listed. */
const contractTraderNames = ['contract-maker', 'contract-taker', 'hedger', ...gamblerNames] as const;
/** Roles of the simulated market. Each has an account of its own with real balances. */
export const participantNames = [
  'maker-inner',
  'maker-steady',
  'maker-deep',
  'taker-1',
  'taker-2',
  'trend',
  ...contractTraderNames,
] as const;
export type ParticipantName = (typeof participantNames)[number];
const isContractTrader = (name: ParticipantName): boolean => contractTraderNames.some((each) => each === name);

interface Wealth {
  readonly usdt: number;
  /** Value of each other asset, in US dollars at its initial value. */
  readonly eachUsd: number;
  /** Of `usdt`, what it transfers to its futures wallet at first. */
  readonly futuresUsdt?: number;
}
const gambler: Wealth = { usdt: 10_000_000, eachUsd: 0 };
const wealth: Record<ParticipantName, Wealth> = {
  'maker-inner': { usdt: 600_000_000, eachUsd: 150_000_000 },
  'maker-steady': { usdt: 500_000_000, eachUsd: 100_000_000 },
  'maker-deep': { usdt: 900_000_000, eachUsd: 200_000_000 },
  'taker-1': { usdt: 300_000_000, eachUsd: 80_000_000 },
  'taker-2': { usdt: 300_000_000, eachUsd: 80_000_000 },
  trend: { usdt: 100_000_000, eachUsd: 20_000_000 },
  'contract-maker': { usdt: 200_000_000, eachUsd: 0, futuresUsdt: 150_000_000 },
  'contract-taker': { usdt: 100_000_000, eachUsd: 0, futuresUsdt: 60_000_000 },
  hedger: { usdt: 100_000_000, eachUsd: 20_000_000, futuresUsdt: 30_000_000 },
  'gambler-1': gambler,
  'gambler-2': gambler,
  'gambler-3': gambler,
  'gambler-4': gambler,
  'gambler-5': gambler,
  'gambler-6': gambler,
};

/**
 * Open-order cap of participants once the market is live. It also marks the market's history as complete: while history
 * is made, participants have the exchange's usual cap.
 */
export const liveOpenOrdersMax = 20_000;

/** A participant of the simulated market with its account. */
export interface Participant {
  readonly name: ParticipantName;
  readonly account: AccountId;
  /** True once the market's history is complete. */
  readonly live: boolean;
}

/** Opening balance of a participant, by ticker. Inventory is measured against it. */
export function participantFunds(name: ParticipantName): ReadonlyMap<string, Balance> {
  const usdOf = new Map(assetProfiles.map((asset) => [asset.code, asset.initialUsd]));
  const owned = demoAssets.filter(({ code }) => code === 'USDT' || wealth[name].eachUsd > 0);
  return new Map(
    owned.map((asset) => [
      asset.code,
      asset.code === 'USDT'
        ? coins('USDT', wealth[name].usdt)
        : coins(asset.code, Math.round(wealth[name].eachUsd / (usdOf.get(asset.code) as number))),
    ]),
  );
}

interface ParticipantPorts {
  readonly submit: CommandIngress['submit'];
  readonly queries: ExchangeQueries;
}

/** Leverage of those who do not gamble: the last tiers of risk allow it. */
export const calmLeverage = 5;

/** Lets a participant trade contracts: transfers its money to its futures wallet, unless that was done before. */
async function enterContracts(
  { submit, queries }: ParticipantPorts,
  { name, account, asset }: { readonly name: ParticipantName; readonly account: AccountId; readonly asset: AssetId },
): Promise<void> {
  const { futuresUsdt } = wealth[name];
  if (futuresUsdt === undefined) return;
  const [spot] = (await queries.balances(account)).filter((balance) => balance.asset === asset);
  if (spot?.free !== coins('USDT', wealth[name].usdt)) return;
  const amount = coins('USDT', futuresUsdt);
  const contracts = await queries.contracts.all();
  const settings = { account, mode: 'cross', leverage: calmLeverage } as const;
  await submitAll(submit, [
    ...contracts.map(({ id }): Command => ({ kind: 'setLeverage', ...settings, contract: id })),
    { kind: 'transferFunds', account, from: 'spot', to: 'futures', asset, amount, clientTranId: null },
  ]);
}

/**
 * Opens and funds missing participants, those of contracts where there are contracts; the same seed gives the same
 * accounts at every start.
 */
export async function openParticipants(
  ports: ParticipantPorts & { readonly seed: string },
): Promise<readonly Participant[]> {
  const listing = await ports.queries.listing();
  const assetIds = new Map<string, AssetId>(listing.assets.map((asset) => [asset.code, asset.id]));
  const hasContracts = (listing.contracts ?? []).length > 0;
  const found: Participant[] = [];
  for (const [index, name] of participantNames.entries()) {
    if (isContractTrader(name) && !hasContracts) continue;
    const uid = demoUid(ports.seed, name, firstParticipantPlace + index);
    const existing = await ports.queries.accountByUid(uid);
    const live = existing !== null && existing.openOrdersMax === liveOpenOrdersMax;
    const account = live
      ? existing.account
      : await openFundedAccount(
          ports,
          {
            name,
            uid,
            class: 'user',
            kycLevel: 1,
            funds: participantFunds(name),
            simulated: true,
          },
          assetIds,
        );
    if (!live) await enterContracts(ports, { name, account, asset: assetIds.get('USDT') as AssetId });
    found.push({ name, account, live });
  }
  return found;
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
          kind: 'setAccountTerms',
          account: participant.account,
          openOrdersMax: liveOpenOrdersMax,
          makerFeePpm: participant.name.startsWith('maker') ? 0 : null,
          takerFeePpm: null,
        }),
      ),
  );
  return participants.map((participant) => ({ ...participant, live: true }));
}
