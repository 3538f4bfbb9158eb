import type { Clock, Repeat } from '#base/clock.ts';
import { formatDecimal } from '#base/decimal.ts';
import { type PollingWorker, startPolling } from '#base/polling.ts';
import type { AssetRules } from '#model/asset.ts';
import type { ReconciledAsset } from '#custody/settlement/reconcile.ts';

/** What the watch needs. */
export interface ReconciliationOptions {
  /** Compares the ledger with custody now. */
  readonly reconcile: () => Promise<readonly ReconciledAsset[]>;
  /** Times what is due. */
  readonly monotonic: Clock;
  readonly repeat: Repeat;
  /** Resolves after some time. */
  readonly pause: (ms: number) => Promise<unknown>;
  /** Logs what an operator should see, in a sentence. */
  readonly notice: (message: string) => void;
  readonly onTrouble: (what: string, error: unknown) => void;
}

/** What is not explained of an asset; 0: all is. */
export interface Unexplained {
  readonly asset: AssetRules;
  /** In its smallest unit; above zero custody has more than the ledger knows of. */
  readonly difference: bigint;
}

/** What was found. */
export interface ReconciliationFindings {
  /** By asset, in the order of listing, each by the last reading at which all its networks answered. */
  readonly assets: readonly Unexplained[];
  /** Time since every asset was compared, or since the start. */
  readonly ageMs: number;
}

/** Compares the ledger with custody again and again. */
export interface ReconciliationWatch extends PollingWorker {
  readonly findings: () => ReconciliationFindings;
}

const lookMs = 60_000;
/** How long a comparison counts; one in which a network did not answer is tried again sooner. */
const completeMs = 3_600_000;
const incompleteMs = 300_000;
/** A difference must be there so often in a row: money moves while custody is read. */
const readings = 3;
const lookAgainAfterMs = 2000;

/**
 * Starts to compare the ledger with custody every hour, as `bourse reconcile` does; what is newly different is told.
 * It changes nothing. DEC-OPR-299.
 */
export function startReconciliation(options: ReconciliationOptions): ReconciliationWatch {
  const { reconcile, monotonic, repeat, pause, notice, onTrouble } = options;
  const found = new Map<string, Unexplained>();
  const startedAt = monotonic.now();
  let completeAt = startedAt;
  let dueAt = startedAt;
  const poll = async (isStopped: () => boolean): Promise<void> => {
    if (monotonic.now() < dueAt) return;
    let rows = await reconcile();
    for (let reading = 1; reading < readings && rows.some(isDifferent); reading += 1) {
      await pause(lookAgainAfterMs);
      if (isStopped()) return;
      rows = await reconcile();
    }
    for (const row of rows.filter(({ isComplete }) => isComplete)) keep(row);
    const isWhole = rows.every(({ isComplete }) => isComplete);
    if (isWhole) completeAt = monotonic.now();
    dueAt = monotonic.now() + (isWhole ? completeMs : incompleteMs);
  };
  const keep = ({ asset, difference, isExplained }: ReconciledAsset): void => {
    const before = found.get(asset.code)?.difference ?? 0n;
    const now = isExplained ? 0n : difference;
    found.set(asset.code, { asset, difference: now });
    if (now !== before) notice(told(asset, now));
  };
  const worker = startPolling({
    ...{ what: 'comparing the ledger with custody', poll, repeat, everyMs: lookMs, skippedMax: 8, onTrouble },
  });
  return {
    ...worker,
    findings: () => ({
      assets: [...found.values()].sort((one, other) => one.asset.id - other.asset.id),
      ageMs: monotonic.now() - completeAt,
    }),
  };
}

const isDifferent = ({ isComplete, isExplained }: ReconciledAsset): boolean => isComplete && !isExplained;

function told({ code, scale }: AssetRules, difference: bigint): string {
  if (difference === 0n) return `Reconciliation: what custody has of ${code} is explained again.`;
  const [amount, word] = difference < 0n ? [-difference, 'less'] : [difference, 'more'];
  return `Reconciliation: custody has ${formatDecimal(amount, scale)} ${code} ${word} than the ledger explains.`;
}
