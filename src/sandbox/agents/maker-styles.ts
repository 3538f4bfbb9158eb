import type { LadderZone } from '#sandbox/agents/ladder.ts';
import type { MakerPlan } from '#sandbox/agents/ladder-maker.ts';
import type { TradedMarket } from '#sandbox/agents/traded-market.ts';
import type { ParticipantName } from '#sandbox/demo-accounts.ts';

/** How a maker quotes markets of a kind, relative to their profiles. */
interface MakerStyle {
  readonly name: ParticipantName;
  readonly markets: TradedMarket['kind'];
  /** Whether it quotes the best prices; only such a maker trades while history is made. */
  readonly isInnermost: boolean;
  /** Cell width as a multiple of the market's spacing, at least this many basis points. */
  readonly spacing: number;
  readonly spacingBpsMin: number;
  /** Distance from the best quote to the first level, in half spreads and basis points on top. */
  readonly gapHalfSpreads: number;
  readonly gapBps: number;
  readonly zones: readonly LadderZone[];
  /** Quotes are at most this fraction away from the best quote. */
  readonly reach: number;
  /** Worth of the nearest level, as a multiple of the market's. */
  readonly levels: number;
  readonly growthPerCell: number;
  /** Multiple of the market's interval, at least this many milliseconds. */
  readonly interval: number;
  readonly intervalMsMin: number;
  readonly placeMax: number;
  /** Levels get smaller with this power of volatility. */
  readonly thinning: number;
  /** A full inventory shifts its quotes by so many half spreads and basis points on top. */
  readonly skewHalfSpreads: number;
  readonly skewBps: number;
}

const ofPairs = { markets: 'pair', reach: 0.45, skewHalfSpreads: 2, skewBps: 0 } as const;

/**
 * Three makers quote the book of each pair, at increasing distance and interval, with more than 200 levels a side in
 * total; one quotes each contract, well within the bands around its index.
 */
const makerStyles: readonly MakerStyle[] = [
  {
    ...ofPairs,
    name: 'maker-inner',
    isInnermost: true,
    spacing: 1,
    spacingBpsMin: 0,
    gapHalfSpreads: 0.5,
    gapBps: 0,
    zones: [
      { cells: 16, stride: 1 },
      { cells: 48, stride: 4 },
      { cells: 192, stride: 16 },
    ],
    levels: 1,
    growthPerCell: 0.02,
    interval: 1,
    intervalMsMin: 100,
    placeMax: 8,
    thinning: 0.9,
  },
  {
    ...ofPairs,
    name: 'maker-steady',
    isInnermost: false,
    spacing: 2,
    spacingBpsMin: 1.5,
    gapHalfSpreads: 3,
    gapBps: 2,
    zones: [
      { cells: 28, stride: 1 },
      { cells: 96, stride: 4 },
      { cells: 384, stride: 16 },
    ],
    levels: 1.5,
    growthPerCell: 0.03,
    interval: 4,
    intervalMsMin: 500,
    placeMax: 16,
    thinning: 0.6,
  },
  {
    ...ofPairs,
    name: 'maker-deep',
    isInnermost: false,
    spacing: 4,
    spacingBpsMin: 5,
    gapHalfSpreads: 5,
    gapBps: 8,
    zones: [
      { cells: 32, stride: 1 },
      { cells: 128, stride: 4 },
      { cells: 512, stride: 16 },
    ],
    levels: 3,
    growthPerCell: 0.04,
    interval: 12,
    intervalMsMin: 1_200,
    placeMax: 24,
    thinning: 0.2,
  },
  {
    name: 'contract-maker',
    markets: 'contract',
    isInnermost: true,
    spacing: 1,
    spacingBpsMin: 0,
    gapHalfSpreads: 0.5,
    gapBps: 0,
    zones: [
      { cells: 24, stride: 1 },
      { cells: 48, stride: 4 },
      { cells: 128, stride: 16 },
    ],
    reach: 0.08,
    levels: 1,
    growthPerCell: 0.04,
    interval: 1,
    intervalMsMin: 100,
    placeMax: 12,
    thinning: 0.7,
    // What the crowd holds shows in the price, and in the funding.
    skewHalfSpreads: 0,
    skewBps: 24,
  },
];

/** The makers of a market, each with how it quotes it; grids are laid out at the initial values. */
export const makerPlansOf = (market: TradedMarket): readonly (readonly [ParticipantName, MakerPlan])[] =>
  makerStyles
    .filter(({ markets }) => markets === market.kind)
    .map((style, index) => [style.name, planOf(style, market, (market.rules.id + 1) * 1_000_003 + index * 7_919)]);

/** `salt` makes the grids of makers and markets different. */
function planOf(style: MakerStyle, { profile, initialTicks }: TradedMarket, salt: number): MakerPlan {
  const ticksPerBps = initialTicks / 10_000;
  const spacingBps = Math.max(style.spacingBpsMin, profile.spacingBps * style.spacing);
  const gapBps = profile.halfSpreadBps * style.gapHalfSpreads + style.gapBps;
  return {
    shape: {
      hasBest: style.isInnermost,
      spacingTicks: Math.max(1, Math.round(spacingBps * ticksPerBps)),
      gapTicks: Math.ceil(gapBps * ticksPerBps),
      zones: style.zones,
      salt,
      reach: style.reach,
    },
    levelUsd: profile.levelUsd * style.levels,
    growthPerCell: style.growthPerCell,
    intervalMs: Math.max(style.intervalMsMin, profile.requoteMs * style.interval),
    placeMax: style.placeMax,
    thinning: style.thinning,
    skewHalfSpreads: style.skewHalfSpreads + style.skewBps / profile.halfSpreadBps,
  };
}
