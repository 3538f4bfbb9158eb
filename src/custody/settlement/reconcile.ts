import { absolute, sumOf } from '#base/whole-numbers.ts';
import { NetworkUnavailable, type Custody, type Holding, type NetworkCustody } from '#custody/custody.ts';
import type { AssetRules } from '#model/asset.ts';
import type { AssetId } from '#model/units.ts';
import type { AssetNetwork, DepositStatus, DepositView, WithdrawalView } from '#model/wallet.ts';
import type { TrialBalance } from '#sequencer/queries/wallet-queries.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import { toLedger } from '#custody/settlement/chain-amounts.ts';

/** What custody has of an asset on one network. */
export interface NetworkHolding {
  readonly network: string;
  /** On the ledger's scale, rounded down; `null`: it is counted by hand, or the network does not answer. */
  readonly amount: bigint | null;
  /** Nobody reads it there: operators count by hand. */
  readonly isByHand: boolean;
  /** What the chain counts finer than the ledger, in the chain's smallest unit. DEC-WAL-19. */
  readonly remainder: bigint;
}

/** One asset: what the ledger says that custody must have, and what custody has. In the asset's smallest unit. */
export interface ReconciledAsset {
  readonly asset: AssetRules;
  /** What came over chains and is still here by the ledger: the outside's debt, less revenue that was taken out. */
  readonly onLedger: bigint;
  /** Deposits that are on a chain and not credited: pending, held back, rejected or to be given back. */
  readonly notCredited: bigint;
  /** Credited in the last days on the word of two operators, because nobody reads their chain; the newest first. */
  readonly onWord: readonly DepositView[];
  /** Withdrawals, and fees of their networks, that are in a block and not final on the ledger. */
  readonly leaving: bigint;
  /** onLedger + notCredited − leaving. */
  readonly expected: bigint;
  readonly networks: readonly NetworkHolding[];
  /** Sum over the networks that answered. */
  readonly inCustody: bigint;
  /**
   * What must be on the networks that nobody reads: expected − inCustody, not below zero. `null`: there is no such
   * network, or another one does not answer. Whoever runs the exchange compares it with what he counts. DEC-OPR-186.
   */
  readonly byHand: bigint | null;
  /** inCustody + byHand − expected; above zero custody has more than the ledger knows of. */
  readonly difference: bigint;
  /** Whether every network answered that is read: only then a difference means something. */
  readonly isComplete: boolean;
  /**
   * What rounding explains of a difference at most: each payment and each fee of a chain that counts finer than the
   * ledger was rounded by less than one unit. 0 where no chain does. DEC-WAL-87.
   */
  readonly rounding: bigint;
  /** Every network answered that is read, and no more is different than rounding explains. */
  readonly isExplained: boolean;
}

/** Amounts by asset. */
type AssetAmounts = ReadonlyMap<AssetId, bigint>;

/** What custody tells about one network. */
interface NetworkAnswer {
  readonly holdings: readonly Holding[];
  readonly leaving: AssetAmounts;
  readonly isByHand: boolean;
}

/** Credits on the word of operators that are listed. */
const onWordMost = 1000;

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
 * Compares, asset by asset, what the ledger owes what is beyond custody with what custody has. Deposits and withdrawals
 * on their way are counted; what they do not explain is the difference. Amounts move while this reads: a difference
 * that stays is one. DEC-WAL-81, DEC-OPR-185.
 */
export async function reconcile(queries: ExchangeQueries, custody: Custody): Promise<readonly ReconciledAsset[]> {
  const { assets } = await queries.listing();
  const networks = await queries.wallet.networks();
  const answers = await allAnswers(queries, custody, networks);
  const [deposits, balances, counts] = await Promise.all([
    queries.wallet.liveDeposits(null),
    queries.wallet.trialBalance(),
    queries.wallet.paymentCounts(),
  ]);
  const beyond = new Map(balances.map((balance) => [balance.asset, beyondCustody(balance)]));
  const listed = new Set<AssetId>(networks.map(({ asset }) => asset));
  return assets
    .filter(({ id }) => listed.has(id) || (beyond.get(id) ?? 0n) !== 0n)
    .map((asset) => {
      const own = networks.filter((network) => network.asset === asset.id);
      return compared(asset, {
        onLedger: -(beyond.get(asset.id) ?? 0n),
        notCredited: sumOf(deposits.filter((each) => isNotCredited(each, asset.id)).map(({ amount }) => amount)),
        onWord: deposits
          .filter((each) => isOnWord(each, asset.id))
          .slice(-onWordMost)
          .reverse(),
        leaving: sumOf([...answers.values()].map((answer) => answer?.leaving.get(asset.id) ?? 0n)),
        networks: own.map((network) => holdingOf(network, asset, answers.get(network.network) ?? null)),
        rounding: own.some(({ scale }) => scale > asset.scale) ? roundingOf(counts) : 0n,
      });
    });
}

/** House accounts on the other side of custody. */
const beyondNames: ReadonlySet<string> = new Set(['outside', 'revenue']);
const beyondCustody = ({ house }: TrialBalance): bigint =>
  sumOf(house.filter(({ name }) => beyondNames.has(name)).map(({ balance }) => balance));

/** What a reorganisation dropped is in no block: custody has it no more, whatever was decided. DEC-WAL-104. */
const isNotCredited = ({ asset, status, isInside, block, approvals }: DepositView, of: AssetId): boolean =>
  asset === of && !isInside && onChain.has(status) && (block !== null || approvals.length > 0);

/** Whether two operators' word is all that stands behind a credit. DEC-WAL-106. */
const isOnWord = ({ asset, status, block, approvals }: DepositView, of: AssetId): boolean =>
  asset === of && status === 'success' && block === null && approvals.length > 1;

/** A deposit is rounded once, and with the fees of two transactions that sweep it; a withdrawal with its fee. */
const roundingOf = ({ deposits, withdrawals }: { readonly deposits: number; readonly withdrawals: number }): bigint =>
  BigInt(3 * deposits + withdrawals);

function compared(
  asset: AssetRules,
  parts: Pick<ReconciledAsset, 'onLedger' | 'notCredited' | 'onWord' | 'leaving' | 'networks' | 'rounding'>,
): ReconciledAsset {
  const expected = parts.onLedger + parts.notCredited - parts.leaving;
  const inCustody = sumOf(parts.networks.map(({ amount }) => amount ?? 0n));
  const isComplete = parts.networks.every(({ amount, isByHand }) => amount !== null || isByHand);
  const missing = expected - inCustody;
  const isCounted = isComplete && parts.networks.some(({ isByHand }) => isByHand);
  const byHand = isCounted ? (missing > 0n ? missing : 0n) : null;
  const difference = (byHand ?? 0n) - missing;
  const isExplained = isComplete && absolute(difference) <= parts.rounding;
  return { asset, ...parts, expected, inCustody, byHand, difference, isComplete, isExplained };
}

function holdingOf(
  { network, contract, scale }: AssetNetwork,
  asset: AssetRules,
  answer: NetworkAnswer | null,
): NetworkHolding {
  const isByHand = answer?.isByHand ?? false;
  const held = answer?.holdings.find((holding) => holding.contract === contract);
  if (held === undefined) return { network, amount: null, isByHand, remainder: 0n };
  const amount = toLedger(held.amount, scale, asset.scale);
  const coarser = scale > asset.scale ? held.amount % 10n ** BigInt(scale - asset.scale) : 0n;
  return { network, amount, isByHand, remainder: coarser };
}

/** Answers by network; `null` where none is served or it does not answer. */
async function allAnswers(
  queries: ExchangeQueries,
  custody: Custody,
  networks: readonly AssetNetwork[],
): Promise<ReadonlyMap<string, NetworkAnswer | null>> {
  const { assets } = await queries.listing();
  const codes = [...new Set(networks.map(({ network }) => network))];
  const found = await Promise.all(
    codes.map(async (code): Promise<[string, NetworkAnswer | null]> => {
      const adapter = custody.get(code);
      const listed = networks.filter(({ network }) => network === code);
      const contracts = listed.flatMap(({ contract }) => (contract === null ? [] : [contract]));
      const addressCount = (await queries.wallet.chain(code))?.addressCount ?? 0;
      if (adapter === undefined) return [code, null];
      try {
        const holdings = await adapter.holdings(contracts, addressCount);
        const withdrawals = await queries.wallet.liveWithdrawals(code);
        const leaving = await leavingFrom(adapter, withdrawals, { listed, assets });
        return [code, { holdings, leaving, isByHand: !adapter.isReading }];
      } catch (error) {
        if (error instanceof NetworkUnavailable) return [code, null];
        throw error;
      }
    }),
  );
  return new Map(found);
}

/** What has left custody for withdrawals that are not final: payouts, and fees in the network's native coin. */
async function leavingFrom(
  custody: NetworkCustody,
  withdrawals: readonly WithdrawalView[],
  { listed, assets }: { readonly listed: readonly AssetNetwork[]; readonly assets: readonly AssetRules[] },
): Promise<AssetAmounts> {
  const leaving = new Map<AssetId, bigint>();
  const add = (asset: AssetId, amount: bigint): void => void leaving.set(asset, (leaving.get(asset) ?? 0n) + amount);
  const native = listed.find(({ contract }) => contract === null);
  for (const { asset, amount, fee, status, transaction } of withdrawals) {
    // One that was signed may have been sent before that was recorded.
    if (transaction === null || (status !== 'packaging' && status !== 'confirming')) continue;
    const fate = await custody.fateOf(transaction);
    if (fate.kind === 'included') add(asset, amount - fee);
    if (native === undefined || (fate.kind !== 'included' && fate.kind !== 'reverted')) continue;
    add(native.asset, toLedger(fate.networkFee, native.scale, assets[native.asset]!.scale));
  }
  return leaving;
}
