/** One measurement over time. */
export interface Reading {
  readonly minute: number;
  readonly value: number;
}

/** Slope of the straight line through the readings by least squares, per minute; 0 for fewer than two. */
export function slopePerMinute(readings: readonly Reading[]): number {
  const count = readings.length;
  if (count < 2) return 0;
  const minute = readings.reduce((sum, reading) => sum + reading.minute, 0) / count;
  const value = readings.reduce((sum, reading) => sum + reading.value, 0) / count;
  let covariance = 0;
  let variance = 0;
  for (const reading of readings) {
    covariance += (reading.minute - minute) * (reading.value - value);
    variance += (reading.minute - minute) ** 2;
  }
  return variance === 0 ? 0 : covariance / variance;
}
