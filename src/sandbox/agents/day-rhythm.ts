const hourMs = 3_600_000;
/** When Europe and America both trade, in hours UTC. */
const busiestHour = 14.5;
/** Weights of the waves of a day and of half a day. */
const waves = { day: 0.45, half: 0.15 } as const;

/** Mean of the rhythm's square over a day. */
export const meanSquareOfRhythm = 1 + (waves.day ** 2 + waves.half ** 2) / 2;

/** How busy the market usually is at this time of the day (UTC): 0.7 to 1.6, 1 on average. */
export function dayRhythm(now: number): number {
  const turn = (2 * Math.PI * (now / hourMs - busiestHour)) / 24;
  return 1 + waves.day * Math.cos(turn) + waves.half * Math.cos(2 * turn);
}
