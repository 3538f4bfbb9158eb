import { NetworkUnavailable, type Custody, type Holding } from '#custody/custody.ts';
import type { AssetRules } from '#domain/asset.ts';
import type { AssetId } from '#domain/units.ts';
import type { AssetNetwork, DepositStatus, DepositView, WithdrawalView } from '#domain/wallet.ts';
import type { ExchangeQueries } from '#ingress/exchange-queries.ts';
import { toLedger } from '#settlement/chain-amounts.ts';

/** What custody has of an asset on one network. */
export interface NetworkHolding {
  readonly network: string;
  /** On the ledger's scale, rounded down; `null`: nobody looks there, or the network does not answer. */
  readonly amount: bigint | null;
  /** What the chain counts finer than the ledger, in the chain's smallest unit. DEC-WAL-19. */
  readonly remainder: bigint;
}

/** One asset: what the ledger says that custody must have, and what custody has. In the asset's smallest unit. */
export interface ReconciledAsset {
  readonly asset: AssetRules;
  /** What came over chains and is still here by the ledger: the outside's debt. */
  readonly onLedger: bigint;
  /** Deposits that are on a chain and not credited: pending, held back, rejected or to be given back. */
  readonly notCredited: bigint;
  /** Withdrawals that left custody and are not final on the ledger. */
  readonly leaving: bigint;
  /** onLedger + notCredited − leaving. */
  readonly expected: bigint;
  readonly networks: readonly NetworkHolding[];
  /** Sum over the networks that answered. */
  readonly inCustody: bigint;
  /** inCustody − expected; above zero custody has more than the ledger knows of. */
  readonly difference: bigint;
  /** Whether every network answered: only then a difference means something. */
  readonly isComplete: boolean;
}

const onChain: ReadonlySet<DepositStatus> = new Set([
  'pending',
  'small',
  'largeDelay',
  'auditing',
  'invalid',
  'restricted',
  'rejected',
  'refund',
]);

/**
 * Compares, asset by asset, what the ledger owes the outside with what custody has. Deposits and withdrawals on their
 * way are counted; what they do not explain is the difference. Amounts move while this looks: a difference that stays
 * is one. DEC-WAL-81.
 */
export async function reconcile(queries: ExchangeQueries, custody: Custody): Promise<readonly ReconciledAsset[]> {
  const { assets } = await queries.listing();
  const networks = await queries.wallet.networks();
  const holdings = await allHoldings(queries, custody, networks);
  const [deposits, withdrawals, balances] = await Promise.all([
    queries.wallet.liveDeposits(null),
    queries.wallet.liveWithdrawals(null),
    queries.wallet.trialBalance(),
  ]);
  const outside = new Map(
    balances.map(({ asset, house }) => [asset, house.find(({ name }) => name === 'outside')?.balance ?? 0n]),
  );
  const listed = new Set<AssetId>(networks.map(({ asset }) => asset));
  return assets
    .filter(({ id }) => listed.has(id) || (outside.get(id) ?? 0n) !== 0n)
    .map((asset) => {
      const own = networks.filter((network) => network.asset === asset.id);
      return compared(asset, {
        onLedger: -(outside.get(asset.id) ?? 0n),
        notCredited: sumOf(deposits.filter((deposit) => isNotCredited(deposit, asset.id))),
        leaving: sumOf(withdrawals.filter((withdrawal) => isLeaving(withdrawal, asset.id)).map(payout)),
        networks: own.map((network) => holdingOf(network, asset, holdings.get(network.network) ?? null)),
      });
    });
}

const sumOf = (rows: readonly { readonly amount: bigint }[]): bigint =>
  rows.reduce((sum, { amount }) => sum + amount, 0n);
const payout = ({ amount, fee }: WithdrawalView): { readonly amount: bigint } => ({ amount: amount - fee });

const isNotCredited = ({ asset, status, isInside }: DepositView, of: AssetId): boolean =>
  asset === of && !isInside && onChain.has(status);
const isLeaving = ({ asset, status, confirmations }: WithdrawalView, of: AssetId): boolean =>
  asset === of && status === 'confirming' && confirmations > 0;

function compared(
  asset: AssetRules,
  parts: Pick<ReconciledAsset, 'onLedger' | 'notCredited' | 'leaving' | 'networks'>,
): ReconciledAsset {
  const expected = parts.onLedger + parts.notCredited - parts.leaving;
  const inCustody = parts.networks.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n);
  const isComplete = parts.networks.every(({ amount }) => amount !== null);
  return { asset, ...parts, expected, inCustody, difference: inCustody - expected, isComplete };
}

function holdingOf(
  { network, contract, scale }: AssetNetwork,
  asset: AssetRules,
  holdings: readonly Holding[] | null,
): NetworkHolding {
  const held = holdings?.find((holding) => holding.contract === contract);
  if (held === undefined) return { network, amount: null, remainder: 0n };
  const amount = toLedger(held.amount, scale, asset.scale);
  const coarser = scale > asset.scale ? held.amount % 10n ** BigInt(scale - asset.scale) : 0n;
  return { network, amount, remainder: coarser };
}

/** Holdings by network; `null` where the network does not answer. */
async function allHoldings(
  queries: ExchangeQueries,
  custody: Custody,
  networks: readonly AssetNetwork[],
): Promise<ReadonlyMap<string, readonly Holding[] | null>> {
  const codes = [...new Set(networks.map(({ network }) => network))];
  const found = await Promise.all(
    codes.map(async (code): Promise<[string, readonly Holding[] | null]> => {
      const adapter = custody.get(code);
      const contracts = networks.flatMap(({ network, contract }) =>
        network === code && contract !== null ? [contract] : [],
      );
      const addressCount = (await queries.wallet.chain(code))?.addressCount ?? 0;
      if (adapter === undefined) return [code, null];
      try {
        return [code, await adapter.holdings(contracts, addressCount)];
      } catch (error) {
        if (error instanceof NetworkUnavailable) return [code, null];
        throw error;
      }
    }),
  );
  return new Map(found);
}
