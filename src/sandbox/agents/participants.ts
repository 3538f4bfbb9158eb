import type { Command } from '#domain/command.ts';
import type { AccountId, AssetId, Balance } from '#domain/units.ts';
import type { CommandIngress } from '#ingress/command-ingress.ts';
import type { ExchangeQueries } from '#ingress/exchange-queries.ts';
import { firstParticipantPlace } from '#sandbox/demo-accounts.ts';
import { demoUid } from '#sandbox/demo-identity.ts';
import { openFundedAccount, submitAll } from '#sandbox/demo-market.ts';
import { coins, demoAssets } from '#sandbox/listing.ts';
import { assetProfiles } from '#sandbox/agents/market-profile.ts';

/** Roles of the simulated market. Each has an account of its own with real balances. */
export const participantNames = ['maker-inner', 'maker-steady', 'maker-deep', 'taker-1', 'taker-2', 'trend'] as const;
export type ParticipantName = (typeof participantNames)[number];

interface Wealth {
  readonly usdt: number;
  /** Value of each other asset, in US dollars at its initial value. */
  readonly eachUsd: number;
}
const wealth: Record<ParticipantName, Wealth> = {
  'maker-inner': { usdt: 600_000_000, eachUsd: 150_000_000 },
  'maker-steady': { usdt: 500_000_000, eachUsd: 100_000_000 },
  'maker-deep': { usdt: 900_000_000, eachUsd: 200_000_000 },
  'taker-1': { usdt: 300_000_000, eachUsd: 80_000_000 },
  'taker-2': { usdt: 300_000_000, eachUsd: 80_000_000 },
  trend: { usdt: 100_000_000, eachUsd: 20_000_000 },
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
  return new Map(
    demoAssets.map((asset) => [
      asset.code,
      asset.code === 'USDT'
        ? coins('USDT', wealth[name].usdt)
        : coins(asset.code, Math.round(wealth[name].eachUsd / (usdOf.get(asset.code) as number))),
    ]),
  );
}

/** Opens and funds missing participants; the same seed gives the same accounts at every start. */
export async function openParticipants(ports: {
  readonly submit: CommandIngress['submit'];
  readonly queries: ExchangeQueries;
  readonly seed: string;
}): Promise<readonly Participant[]> {
  const assetIds = new Map<string, AssetId>(
    (await ports.queries.listing()).assets.map((asset) => [asset.code, asset.id]),
  );
  const found: Participant[] = [];
  for (const [index, name] of participantNames.entries()) {
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
