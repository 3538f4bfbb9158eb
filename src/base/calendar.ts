/** Civil dates by counting: no time zone but UTC, no machine clock. */
export const minuteMs = 60_000;
export const hourMs = 3_600_000;
export const dayMs = 86_400_000;

/** Whole days since 1970-01-01 of the first of a month; `month` counts from 0 and may lie outside 0 to 11. */
export function dayOfMonthStart(year: number, month: number): number {
  const carried = year + Math.floor(month / 12);
  const monthInYear = ((month % 12) + 12) % 12;
  // Years begin in March here, so that the leap day is a year's last day.
  const marchYear = monthInYear < 2 ? carried - 1 : carried;
  const marchMonth = (monthInYear + 10) % 12;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * marchMonth + 2) / 5);
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** Year, and month from 0, of a moment in milliseconds since 1970 UTC. */
export function monthOf(at: number): { readonly year: number; readonly month: number } {
  const day = Math.floor(at / dayMs) + 719_468;
  const era = Math.floor(day / 146_097);
  const dayOfEra = day - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = (marchMonth + 2) % 12;
  return { year: yearOfEra + era * 400 + (month < 2 ? 1 : 0), month };
}

const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/;
/** Start of a day that is written as `2026-01-31`, in milliseconds since 1970 UTC; `null`: no day from 1970 on. */
export function startOfDate(text: string): number | null {
  const parts = datePattern.exec(text);
  if (parts === null) return null;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  const first = dayOfMonthStart(year, month - 1);
  const count = dayOfMonthStart(year, month) - first;
  const isDay = month >= 1 && month <= 12 && day >= 1 && day <= count;
  return isDay && first >= 0 ? (first + day - 1) * dayMs : null;
}
