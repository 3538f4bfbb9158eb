import type { Browser } from 'playwright-core';
import { browserPath, sharedBrowser } from '../test/browser/watched-page.ts';
import { type DemoFile, startExchange } from './exchange-process.ts';
import { machineLine } from './harness.ts';
import { type FirstLoad, type MeasuredPage, measureFirstLoad } from './page-first-load.ts';
import { measureUnderLoad, type WhileLooking } from './page-under-load.ts';

/** What is asked of the figures of pages. */
export interface FiguresAsked {
  /** First loads of each page; the table has the median of times and the most of the rest. */
  readonly samples: number;
  /** Pages by their names; empty: all. */
  readonly only: readonly string[];
  /** Seconds that each part of the terminal under load is looked at; 0: it is not. */
  readonly seconds: number;
  /** Requests a second that change the book of a pair. */
  readonly updates: number;
  /** Directory of an exchange that was stopped; `undefined`: a new one, whose market has to be made first. */
  readonly data: string | undefined;
  /** File for a profile of the page under load. */
  readonly profileFile: string | null;
}

const kilo = 1000;
/** Bytes over the wire of the files of a page. DEC-WEB-80. */
const bytesMax = 200 * kilo;
/** How far a page may jump. */
const shiftMax = 0.05;

function pagesOf({ base_url, operator_url, operator_token, accounts }: DemoFile): readonly MeasuredPage[] {
  const [account] = accounts;
  const keys = { accessKey: account?.apiKey, secretKey: account?.secretKey, name: account?.name };
  const customer = { 'bourse-api-keys': JSON.stringify(keys) };
  const page = (path: string, hasPrices: boolean): MeasuredPage => ({ name: path, url: base_url + path, hasPrices });
  const office = (name: string, path: string): MeasuredPage => ({
    name,
    url: operator_url + path,
    kept: { 'bourse-operator-token': operator_token },
    hasPrices: false,
  });
  return [
    page('/', true),
    page('/trade/BTCUSDT', true),
    page('/contracts', false),
    { ...page('/wallet', false), kept: customer },
    page('/docs/', false),
    page('/docs/streams', false),
    office('overview of operators', '/'),
    office('reference of operators', '/docs/'),
  ];
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] as number;
const most = (values: readonly number[]): number => Math.max(...values);
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
const whole = (value: number | null): string => (value === null ? '–' : Math.round(value).toLocaleString('en'));
const tasksText = (tasks: readonly number[]): string =>
  tasks.length === 0 ? 'none' : `${tasks.length}: ${whole(sum(tasks))}, ≤ ${whole(most(tasks))}`;

/** A table of texts, the first column at the left. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => most(rows.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]): string =>
    row
      .map((text, column) => (column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0)))
      .join('  ');
  return rows.map(line).join('\n');
}

/** Of several loads the one with the median time of long tasks. */
const typical = (loads: readonly FirstLoad[]): FirstLoad =>
  loads.toSorted((a, b) => sum(a.longTasks) - sum(b.longTasks))[loads.length >> 1] as FirstLoad;

const loadHead = [
  'page',
  'requests',
  'files kB',
  'answers kB',
  'painted ms',
  'prices ms',
  'long tasks ms',
  'jumps',
  'heap MB',
];

function loadRow(name: string, loads: readonly FirstLoad[]): readonly string[] {
  const prices = loads.flatMap(({ pricesMs }) => pricesMs ?? []);
  return [
    name,
    String(most(loads.map(({ requests }) => requests))),
    (most(loads.map(({ bytes, answerBytes }) => bytes - answerBytes)) / kilo).toFixed(1),
    (most(loads.map(({ answerBytes }) => answerBytes)) / kilo).toFixed(1),
    whole(median(loads.map(({ paintMs }) => paintMs ?? Number.NaN))),
    whole(prices.length === 0 ? null : median(prices)),
    tasksText(typical(loads).longTasks),
    most(loads.map(({ layoutShift }) => layoutShift)).toFixed(3),
    (most(loads.map(({ heapBytes }) => heapBytes)) / 1e6).toFixed(1),
  ];
}

/** What of the sizes is beyond its limit, in words. */
function breaches({ name }: MeasuredPage, loads: readonly FirstLoad[]): readonly string[] {
  const bytes = most(loads.map((load) => load.bytes - load.answerBytes));
  const shift = most(loads.map((load) => load.layoutShift));
  return [
    ...(bytes > bytesMax ? [`${name}: ${whole(bytes)} bytes of files, more than ${whole(bytesMax)}`] : []),
    ...(shift > shiftMax ? [`${name}: jumps by ${shift.toFixed(3)}, more than ${shiftMax}`] : []),
  ];
}

async function firstLoads(browser: Browser, demo: DemoFile, asked: FiguresAsked): Promise<readonly string[]> {
  const rows = [loadHead];
  const found: string[] = [];
  for (const page of pagesOf(demo).filter(({ name }) => asked.only.length === 0 || asked.only.includes(name))) {
    const loads: FirstLoad[] = [];
    for (let sample = 0; sample < asked.samples; sample += 1) loads.push(await measureFirstLoad(browser, page));
    rows.push([...loadRow(page.name, loads)]);
    found.push(...breaches(page, loads));
  }
  console.log(`First load, nothing in a cache; ${asked.samples} of each\n${table(rows)}\n`);
  return found;
}

const lookHead = [
  'terminal',
  'updates/s',
  'frames/s',
  'longest gap ms',
  'script',
  'layout',
  'style',
  'all ms/s',
  'long tasks ms',
];

const lookRow = (look: WhileLooking): readonly string[] => [
  look.name,
  whole(look.updates),
  look.framesPerSecond.toFixed(1),
  whole(look.longestGapMs),
  look.scriptMs.toFixed(1),
  look.layoutMs.toFixed(1),
  look.styleMs.toFixed(1),
  look.taskMs.toFixed(1),
  tasksText(look.longTasks),
];

/**
 * Measures what pages cost in a browser, on an exchange of its own with its market, and prints it. DEC-WEB-80.
 * @returns what is beyond a limit of size, in words: times are told and never judged
 * @throws Error where there is no chromium
 */
export async function printPageFigures(asked: FiguresAsked): Promise<readonly string[]> {
  if (browserPath === undefined) throw new Error('There is no chromium on this machine.');
  const exchange = await startExchange(['--no-rate-limits'], {
    nodeFlags: ['--max-semi-space-size=64'],
    ...(asked.data === undefined ? {} : { data: asked.data }),
  });
  const browser = await sharedBrowser();
  try {
    console.log(`${machineLine()}; chromium ${browser.version()}\n`);
    const found = await firstLoads(browser, exchange.demo, asked);
    if (asked.seconds > 0) {
      const { seconds, updates: perSecond, profileFile } = asked;
      const looks = await measureUnderLoad({
        browser,
        demo: exchange.demo,
        symbol: 'BTCUSDT',
        seconds,
        perSecond,
        profileFile,
      });
      console.log(`Under load, ${seconds} s each; milliseconds of a processor in a second`);
      console.log(`${table([lookHead, ...looks.map(lookRow)])}\n`);
    }
    return found;
  } finally {
    await browser.close();
    await exchange.stop();
  }
}
