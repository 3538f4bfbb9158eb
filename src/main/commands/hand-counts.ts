import { InvalidArgumentError } from 'commander';
import { parseDecimal } from '#base/decimal.ts';

/** Counts are compared at the greatest scale of an asset. */
const scale = 18;

/** Adds what `--counted` says, such as `SOL=12.5`. @throws InvalidArgumentError */
export function addCount(text: string, before: ReadonlyMap<string, bigint>): ReadonlyMap<string, bigint> {
  const [, asset = '', amount = ''] = /^([A-Z0-9]{2,12})=(.+)$/.exec(text) ?? [];
  const counted = parseDecimal(amount, scale);
  if (typeof counted !== 'bigint') throw new InvalidArgumentError('It is written as SOL=12.5.');
  if (before.has(asset)) throw new InvalidArgumentError(`${asset} is counted once.`);
  return new Map([...before, [asset, counted]]);
}

/** Of an asset of the reconciliation: what must be on networks that nobody reads, `null` where nothing is. */
interface Row {
  readonly asset: string;
  readonly byHand: string | null;
  readonly networks: readonly { readonly network: string; readonly isByHand: boolean }[];
}

/** What was counted by hand, held against the ledger: lines for people. */
export interface ComparedCounts {
  readonly faults: readonly string[];
  /** What nobody counted. */
  readonly notes: readonly string[];
}

/** Compares counts by asset with what the ledger says must be there. DEC-OPR-186. */
export function compareCounts(rows: readonly Row[], counted: ReadonlyMap<string, bigint>): ComparedCounts {
  const isByHand = ({ networks }: Row): boolean => networks.some((network) => network.isByHand);
  const known = new Set(rows.filter(isByHand).map(({ asset }) => asset));
  const faults = [...counted.keys()]
    .filter((asset) => !known.has(asset))
    .map((asset) => `${asset}: nothing of it is counted by hand`);
  const notes: string[] = [];
  for (const { asset, byHand, networks } of rows) {
    if (byHand === null) continue;
    const count = counted.get(asset);
    const places = networks.filter((network) => network.isByHand).map(({ network }) => network);
    const must = `${asset}: ${byHand} must be on ${places.join(', ')}`;
    if (count === undefined) notes.push(`${must}, which nobody reads: count it, and give --counted`);
    else if (count !== parseDecimal(byHand, scale)) faults.push(`${must}, another amount was counted`);
  }
  return { faults, notes };
}
