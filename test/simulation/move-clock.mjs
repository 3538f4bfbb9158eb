/**
 * `CLOCK_AHEAD=ms CLOCK_JUMP=ms node --import …/move-clock.mjs dist/main/bourse.js …`: the exchange as it was built, on
 * a machine whose clock is so far ahead, and jumps ahead once more at each SIGUSR2.
 */
const now = Date.now;
let ahead = Number(process.env['CLOCK_AHEAD']);
Date.now = () => now() + ahead;
process.on('SIGUSR2', () => {
  ahead += Number(process.env['CLOCK_JUMP']);
});
