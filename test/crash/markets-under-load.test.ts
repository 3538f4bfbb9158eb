import { expect, test } from 'vitest';
import { runMarketRounds } from './market-rounds.ts';

/** Orders a second; a slow machine is asked for less by itself. */
const rate = Number(process.env['BOURSE_TEST_MARKET_RATE'] ?? 600);
/** Seconds of trading, and of halts, between two acts of an operator. */
const seconds = Number(process.env['BOURSE_TEST_MARKET_SECONDS'] ?? 0.5);
const kills = Number(process.env['BOURSE_TEST_MARKET_KILLS'] ?? 2);
const halts = 4;

test(
  `DEC-OPR-161 DEC-OPR-166 DEC-OPR-169: nothing fills once a halt is answered; ${kills} kills under load lose nothing`,
  async () => {
    const report = await runMarketRounds({ rate, halts, kills, phaseMs: seconds * 1000 }, 20_261_124);
    const { acknowledged, unanswered, delisted } = report;
    const told = `${acknowledged} orders acknowledged, ${unanswered} not answered, ${delisted} pairs delisted`;
    if (process.env['BOURSE_TEST_MARKET_RATE'] !== undefined)
      process.stdout.write(`${told}, ${Math.round(report.seenRate)} a second answered amid halts\n`);
    expect(report.faults).toEqual([]);
    expect(report.acknowledged).toBeGreaterThan(halts);
    expect(report.delisted).toBeGreaterThanOrEqual(kills);
    expect(report.verify).toContain('All sound.');
  },
  120_000 + kills * 30_000 + halts * 3000 * seconds,
);
