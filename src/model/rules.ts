/**
 * Versions of the engine's rules. A journal begins with version 1; the command `activateRules` activates a later one,
 * so that a new build replays an old journal exactly as it was answered. Every start activates `newestRules` before
 * other commands, if an older version is in force. A rule that changes asks `state.progress.rules` which form is in
 * force. DEC-ORD-36.
 */
export const oldestRules = 1;
/** The newest version that this build implements. */
export const newestRules = 1;
