import type { Clock } from '#base/clock.ts';
import type { Custody, WalletHolding } from '#custody/custody.ts';
import type { PayingState } from '#custody/settlement/settlement.ts';
import type { NetworkSight } from '#custody/settlement/watch-network.ts';
import { boundedLabel, labelValuesMax, otherValue } from '#main/metrics/bounded-label.ts';
import { declareMetrics, gauge, type MetricSource, sourceOf } from '#main/metrics/declare-metrics.ts';
import type { AssetRules } from '#model/asset.ts';
import type { AssetNetwork } from '#model/wallet.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';

/** Metrics of networks, of their nodes and of the wallets that pay. */
export const networkMetrics = declareMetrics(
  'Networks',
  {
    network: `code of a listed network, the first ${labelValuesMax.networks}`,
    asset: `code of a listed asset; of the first ${labelValuesMax.assets} asset networks`,
    wallet: '`hot` pays withdrawals, `gas` the gas that sweeps of tokens need',
  },
  {
    bourse_wallet_balance_coins: gauge('What a wallet that pays has of an asset, as the node last told.', [
      'network',
      'wallet',
      'asset',
    ]),
    bourse_wallet_floor_coins: gauge(
      'What it should have at least, by `hotFloor` and `gasFloor` of the custody file; no value where none is set.',
      ['network', 'wallet', 'asset'],
    ),
    bourse_network_height_blocks: gauge('Number of the newest block of the node.', ['network']),
    bourse_network_lag_blocks: gauge('Newer blocks than the last one that was read for deposits.', ['network']),
    bourse_network_block_age_seconds: gauge('Age of the newest block of the node, by its own time.', ['network']),
    bourse_network_answer_age_seconds: gauge('Time since the node answered, or since the start.', ['network']),
    bourse_network_settlement_age_seconds: gauge(
      'Time since deposits and withdrawals were settled without a failure, or since the start.',
      ['network'],
    ),
    bourse_network_held: gauge('1 while the restore guard holds the withdrawals of a network; else 0.', ['network']),
    bourse_network_unknown_payments: gauge(
      'Payments of the hot wallet that the journal does not know and that nobody has booked.',
      ['network'],
    ),
    bourse_network_lost_payments: gauge('Paid withdrawals that are lost and that nobody has booked.', ['network']),
    bourse_network_stopped: gauge(
      '1 while nothing is settled until the next start, because of a broken claim about a payment; else 0.',
      ['network'],
    ),
    bourse_withdrawals_unsigned: gauge('Withdrawals that custody does not sign now, for whatever reason.', ['network']),
    bourse_withdrawals_waiting_for_funds: gauge('Those of them that wait for funds of the hot wallet.', ['network']),
    bourse_deposit_addresses_left: gauge('Addresses left in the list of a watch-only network.', ['network']),
  },
);

/** What the metrics of networks are read from. */
export interface NetworkMetricParts {
  readonly queries: Pick<ExchangeQueries, 'listing' | 'wallet' | 'safety'>;
  readonly custody: Custody;
  readonly payingState: (network: string) => PayingState | null;
  readonly sightOf: (network: string) => NetworkSight | null;
  /** The exchange's clock. */
  readonly clock: Clock;
}

/** A listed network and what is known of it. */
interface WatchedNetwork {
  readonly network: string;
  readonly listed: readonly AssetNetwork[];
  readonly sight: NetworkSight | null;
  readonly isHeld: boolean;
  readonly unknown: number;
  readonly lost: number;
  readonly unsigned: number;
  readonly unfunded: number;
  readonly isStopped: boolean;
  readonly addressesLeft: number | null;
}

type Rows = readonly (readonly [{ readonly network: string }, number])[];

const rowsOf = (networks: readonly WatchedNetwork[], value: (network: WatchedNetwork) => number | null): Rows =>
  networks.flatMap((each) => {
    const told = value(each);
    return told === null ? [] : [[{ network: each.network }, told] as const];
  });

/** Reads one network; those that custody does not serve too, which may be held or have lost payments. */
async function watched(parts: NetworkMetricParts, network: string, all: readonly AssetNetwork[]) {
  const { queries, custody, payingState, sightOf } = parts;
  const { safety, wallet } = queries;
  const paying = payingState(network);
  const [isHeld, unknown, lost, open, chain] = await Promise.all([
    safety.isHeld(network),
    safety.unknownPayments(),
    safety.lostPayments(),
    wallet.openWithdrawals(network),
    wallet.chain(network),
  ]);
  const isOpen = (each: { readonly network: string; readonly booking: unknown }): boolean =>
    each.network === network && each.booking === null;
  const waiting = paying?.unknownWaiting ?? 0;
  const most = custody.get(network)?.addressCountMax ?? null;
  return {
    network,
    listed: all.filter((each) => each.network === network),
    sight: sightOf(network),
    isHeld: isHeld || waiting > 0,
    unknown: unknown.filter(isOpen).length + waiting,
    lost: lost.filter(isOpen).length,
    unsigned: open.filter(({ withdrawal }) => (paying?.reasonOf(withdrawal) ?? null) !== null).length,
    unfunded: (paying?.lacks() ?? []).reduce((sum, { withdrawals }) => sum + withdrawals, 0),
    isStopped: (paying?.stoppedBy ?? null) !== null,
    addressesLeft: most === null ? null : most - (chain?.addressCount ?? 0),
  };
}

/** Ages of a network that has a node; a watch-only one would always seem to answer. */
const ageOf =
  (age: (sight: NetworkSight) => number) =>
  ({ sight }: WatchedNetwork): number | null =>
    sight === null || (sight.status !== null && sight.status.head === null) ? null : age(sight) / 1000;

function lagOf({ sight }: WatchedNetwork): number | null {
  const height = sight?.status?.head?.height ?? null;
  const followed = sight?.followedHeight ?? null;
  return height === null || followed === null ? null : Math.max(0, height - followed);
}

/** Wallets with the asset that they hold, in whole coins. */
function walletRows(
  networks: readonly WatchedNetwork[],
  assets: readonly AssetRules[],
  amountOf: (holding: WalletHolding) => bigint | null,
) {
  const rows = networks.flatMap(({ network, listed, sight }) =>
    (sight?.status?.wallets ?? []).flatMap((holding) => {
      const of = listed.find(({ contract }) => contract === holding.contract);
      const amount = amountOf(holding);
      if (of === undefined || amount === null) return [];
      const labels = { network, wallet: holding.wallet, asset: assets[of.asset]!.code };
      return [[labels, Number(amount) / 10 ** of.scale] as const];
    }),
  );
  return rows.slice(0, labelValuesMax.assets);
}

/** The source of the metrics of networks. */
export const networkSource = (parts: NetworkMetricParts): MetricSource =>
  sourceOf(networkMetrics, async () => {
    const [listed, { assets }] = await Promise.all([parts.queries.wallet.networks(), parts.queries.listing()]);
    const codes = [...new Set(listed.map(({ network }) => network))];
    const label = boundedLabel(codes, labelValuesMax.networks);
    const own = codes.filter((code) => label(code) !== otherValue);
    const networks: readonly WatchedNetwork[] = await Promise.all(own.map((code) => watched(parts, code, listed)));
    const blockAge = ({ sight }: WatchedNetwork): number | null => {
      const at = sight?.status?.head?.at ?? null;
      return at === null ? null : Math.max(0, parts.clock.now() - at) / 1000;
    };
    return {
      bourse_wallet_balance_coins: walletRows(networks, assets, ({ amount }) => amount),
      bourse_wallet_floor_coins: walletRows(networks, assets, ({ floor }) => floor),
      bourse_network_height_blocks: rowsOf(networks, ({ sight }) => sight?.status?.head?.height ?? null),
      bourse_network_lag_blocks: rowsOf(networks, lagOf),
      bourse_network_block_age_seconds: rowsOf(networks, blockAge),
      bourse_network_answer_age_seconds: rowsOf(
        networks,
        ageOf(({ answerAgeMs }) => answerAgeMs),
      ),
      bourse_network_settlement_age_seconds: rowsOf(
        networks,
        ageOf(({ settlementAgeMs }) => settlementAgeMs),
      ),
      bourse_network_held: rowsOf(networks, ({ isHeld }) => (isHeld ? 1 : 0)),
      bourse_network_unknown_payments: rowsOf(networks, ({ unknown }) => unknown),
      bourse_network_lost_payments: rowsOf(networks, ({ lost }) => lost),
      bourse_network_stopped: rowsOf(networks, ({ isStopped }) => (isStopped ? 1 : 0)),
      bourse_withdrawals_unsigned: rowsOf(networks, ({ unsigned }) => unsigned),
      bourse_withdrawals_waiting_for_funds: rowsOf(networks, ({ unfunded }) => unfunded),
      bourse_deposit_addresses_left: rowsOf(networks, ({ addressesLeft }) => addressesLeft),
    };
  });
