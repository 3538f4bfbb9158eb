/**
 * Versions of the rules that the engine plays by. A journal begins under version 1; the command `activateRules` moves
 * it to a later one, so that a new build replays an old journal exactly as it was answered. A new exchange activates
 * `newestRules` before anything else, and so does an old one when a new build opens it.
 * DEC-ORD-36.
 */
export const oldestRules = 1;
/** The version that this build plays by once it is activated. */
export const newestRules = 2;
