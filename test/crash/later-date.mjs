/** `LATER_DAYS=n node --import …/later-date.mjs …`: a process to which the machine's clock is n days ahead. */
const aheadMs = Number(process.env['LATER_DAYS']) * 86_400_000;
const { now } = Date;
Date.now = () => now() + aheadMs;
