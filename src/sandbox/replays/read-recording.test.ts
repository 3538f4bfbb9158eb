import { expect, test } from 'vitest';
import { readRecording } from '#sandbox/replays/read-recording.ts';
import type { RecordedTrade, Recording } from '#sandbox/replays/recording.ts';

const at = 1_700_000_000_000;
const allOf = (recording: Recording, seed = '1'): readonly RecordedTrade[] => {
  const cursor = recording.play(seed);
  const trades: RecordedTrade[] = [];
  for (let upToMs = 0; upToMs <= recording.lengthMs; upToMs += 500)
    for (let trade = cursor.take(upToMs); trade !== null; trade = cursor.take(upToMs)) trades.push(trade);
  for (let trade = cursor.take(Infinity); trade !== null; trade = cursor.take(Infinity)) trades.push(trade);
  return trades;
};
const trades: readonly RecordedTrade[] = [
  { atMs: 0, price: 36_500.1, quantity: 0.5, isBuy: true },
  { atMs: 1_500, price: 36_499, quantity: 0.25, isBuy: false },
];

test.each([
  ['as dumps write them', [`1,36500.1,0.5,18250.05,${at},False,True`, `2,36499,0.25,9124.75,${at + 1500},True,True`]],
  ['in microseconds', [`1,36500.1,0.5,1,${at}000,false`, `2,36499,0.25,1,${at + 1500}000,true`, '']],
  ['under a header', ['qty,is_buyer_maker,price,time', `0.5,0,36500.1,${at}`, '', `0.25,1,36499,${at + 1500}`]],
  [
    'with quotes',
    [
      '"price","quantity","timestamp","isBuyerMaker"',
      `"36500.1","0.5","${at}","false"`,
      `36499,0.25,${at + 1500},true`,
    ],
  ],
  [
    'as NDJSON',
    [
      `{"price":"36500.1","qty":0.5,"time":${at},"isBuyerMaker":false,"id":1}`,
      `{"price":36499,"qty":"0.25","time":"${at + 1500}","is_buyer_maker":true}`,
    ],
  ],
])('DEC-KIT-64: trades %s are read', async (_how, lines) => {
  for (const end of ['\n', '\r\n']) {
    const recording = await readRecording('trades', lines.join(end));
    expect(recording).toMatchObject({ format: 'trades', entries: 2, firstAt: at, lengthMs: 1500 });
    expect(recording.prices).toEqual({ first: 36_500.1, least: 36_499, most: 36_500.1 });
    expect(allOf(recording)).toEqual(trades);
  }
});

const rising = `${at},100,110,95,105,60,${at + 59_999},6300,40,45,4725,0`;
const falling = `${at + 60_000},105,106,90,92,0,${at + 119_999},0,0,0,0,0`;

test('DEC-KIT-64: candles become trades from open by way of their extremes to close, with their volumes', async () => {
  const recording = await readRecording('candles', [rising, falling].join('\n'));
  expect(recording).toMatchObject({ entries: 2, lengthMs: 119_999, prices: { first: 100, least: 90, most: 110 } });
  const made = allOf(recording);
  expect(made.map(({ atMs }) => atMs)).toEqual(made.map(({ atMs }) => atMs).toSorted((a, b) => a - b));
  const first = made.filter(({ atMs }) => atMs < 60_000);
  const prices = first.map(({ price }) => price);
  expect([prices[0], Math.min(...prices), Math.max(...prices), prices.at(-1)]).toEqual([100, 95, 110, 105]);
  expect(prices.indexOf(95)).toBeLessThan(prices.indexOf(110));
  const volumeOf = (list: readonly RecordedTrade[]) => list.reduce((sum, { quantity }) => sum + quantity, 0);
  expect(volumeOf(first)).toBeCloseTo(60, 6);
  expect(Math.abs(volumeOf(first.filter(({ isBuy }) => isBuy)) - 45)).toBeLessThan(10);
  const second = made.filter(({ atMs }) => atMs >= 60_000);
  expect(second.map(({ price }) => price).indexOf(106)).toBeLessThan(second.map(({ price }) => price).indexOf(90));
  expect(volumeOf(second)).toBe(0);
  expect(allOf(recording)).toEqual(made);
  expect(allOf(recording, '2')).not.toEqual(made);
});

test('DEC-KIT-64: candles that lie within one step are two trades each', async () => {
  const cursor = (await readRecording('candles', [rising, falling].join('\n'))).play('1');
  const taken = Array.from({ length: 5 }, () => cursor.take(Infinity));
  expect(taken).toEqual([
    { atMs: 59_999, price: 105, quantity: 45, isBuy: true },
    { atMs: 59_999, price: 105, quantity: 15, isBuy: false },
    { atMs: 119_999, price: 92, quantity: 0, isBuy: true },
    { atMs: 119_999, price: 92, quantity: 0, isBuy: false },
    null,
  ]);
});

test('DEC-KIT-64: candles may leave out what is not needed', async () => {
  const lines = ['open_time,open,high,low,close,volume', `${at},1,2,1,2,10`, `${at + 300_000},2,2,2,2,1`];
  const recording = await readRecording('candles', lines.join('\n'));
  expect(recording.lengthMs).toBe(600_000);
  expect(allOf(recording).some(({ isBuy }) => isBuy)).toBe(true);
});

const trade = `1,36500.1,0.5,1,${at},true`;
test.each([
  ['trades', 'nothing', '', 'line 1 must be a trade or a candle: there is none'],
  ['trades', 'a header alone', 'price,qty,time,is_buyer_maker\n', 'line 1 must be a trade or a candle: there is none'],
  ['trades', 'a price of 0', `${trade}\n1,0,1,1,${at},true`, 'line 2, column price must be a decimal number above 0'],
  ['trades', 'a price that is none', `1,12x,1,1,${at},true`, 'line 1, column price must be a decimal number above 0'],
  ['trades', 'a quantity below 0', `1,1,-1,1,${at},true`, 'line 1, column qty must be a decimal number, not below 0'],
  ['trades', 'a time in seconds', '1,1,1,1,1700000000,true', 'line 1, column time must be a time in milliseconds or'],
  ['trades', 'an earlier time', `${trade}\n1,1,1,1,${at - 1},true`, 'line 2, column time must not be before that of'],
  ['trades', 'a flag that is none', `1,1,1,1,${at},yes`, 'line 1, column is_buyer_maker must be true or false'],
  ['trades', 'too few columns', `1,1,1,1,${at}`, 'line 1, column is_buyer_maker is missing'],
  ['trades', 'no such header', 'id,price,qty\n1,2,3', 'line 1, column time is missing from the header'],
  ['trades', 'no JSON', '{"price":1', 'line 1 must be a JSON object'],
  ['trades', 'a missing member', `{"price":1,"time":${at},"m":true}`, 'line 1, column qty is missing'],
  ['trades', 'a long line', `${trade}${'0'.repeat(1000)}`, 'line 1 must have at most 1000 characters'],
  ['candles', 'a high below close', `${at},1,1.5,1,2,1`, 'line 1, column high must not be below open and close'],
  ['candles', 'a low above open', `${at},1,2,1.5,2,1`, 'line 1, column low must not be above open and close'],
  ['candles', 'an end before its beginning', `${at},1,1,1,1,1,${at}`, 'line 1, column close_time must be after'],
  ['candles', 'the same candle twice', `${rising}\n${rising}`, 'line 2, column open_time must be after that of'],
  ['candles', 'candles that overlap', `${rising}\n${at + 5},1,1,1,1,1`, 'line 2, column open_time must not be before'],
  ['candles', 'more bought than traded', `${at},1,1,1,1,1,,,,2`, 'line 1, column taker_buy_base must not be above'],
] as const)('DEC-KIT-64: %s with %s are refused by line and column', async (format, _what, text, fault) => {
  await expect(readRecording(format, text)).rejects.toThrow(`must be readable: ${fault}`);
});
