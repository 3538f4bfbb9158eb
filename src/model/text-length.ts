import { engineLimits } from '#model/limits.ts';

/** Whether a text has at most `max` characters: code points, so that one outside the basic plane counts once. */
export const hasAtMost = (text: string, max: number): boolean =>
  text.length <= max || (text.length <= 2 * max && [...text].length <= max);

/** Whether a text can be the reason of an act. */
export const isReason = (text: string): boolean => text.length > 0 && hasAtMost(text, engineLimits.reasonLength);
