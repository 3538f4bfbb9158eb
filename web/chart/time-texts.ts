import { dateText } from '#web/design/values.tsx';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (value: number): string => String(value).padStart(2, '0');

/** A moment at the cross-hair, in the viewer's zone; `time` in seconds. */
export const momentText = (time: number): string => dateText(time * 1000).slice(0, 16);

/** A mark at the axis of time, in the viewer's zone: the coarser its kind (0 a year, 3 a time of day), the larger. */
export function axisText(time: unknown, kind: number): string {
  const at = new Date(Number(time) * 1000);
  if (kind === 0) return String(at.getFullYear());
  if (kind === 1) return months[at.getMonth()] as string;
  if (kind === 2) return `${at.getDate()} ${months[at.getMonth()]}`;
  return `${two(at.getHours())}:${two(at.getMinutes())}`;
}
