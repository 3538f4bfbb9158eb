/*
 * What takes long is tried in part by `npm test` and whole by `npm run test:long -- 'every case'`.
 */

/** Whether each story and case is tried: `BOURSE_TEST_EVERY=1`. */
export const isEvery = process.env['BOURSE_TEST_EVERY'] !== undefined;

/** All cases, or the first of each `step`. */
export const shareOf = <Case>(cases: readonly Case[], step: number): readonly Case[] =>
  isEvery ? cases : cases.filter((_, index) => index % step === 0);

/** What a loop over calls that fail adds each time. */
export const stepOf = (step: number): number => (isEvery ? 1 : step);
