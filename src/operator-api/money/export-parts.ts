import type { z } from 'zod';
import type { AssetRules } from '#model/asset.ts';
import type { AccountId, SymbolId } from '#model/units.ts';
import type { exportEndpoints } from '#operator-api/money/export-endpoints.ts';
import type { PastSpan } from '#operator-api/money/past-rows.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import type { ListedAssets } from '#operator-api/wallet/listed-assets.ts';

type Endpoints = typeof exportEndpoints;
/** A line of a stream. */
export type LineOf<Id extends keyof Endpoints> = z.input<Endpoints[Id]['answer']>;

/** How amounts of a pair or contract are written. */
export interface ExportedMarket {
  readonly name: string;
  readonly isContract: boolean;
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
  readonly base: AssetRules;
  readonly quote: AssetRules;
}

/** What lines are made with. */
export interface ExportParts {
  readonly context: OperatorContext;
  readonly assets: ListedAssets;
  readonly markets: ReadonlyMap<SymbolId, ExportedMarket>;
  readonly span: PastSpan;
  /** Whose lines; `null`: all accounts'. */
  readonly account: AccountId | null;
}
