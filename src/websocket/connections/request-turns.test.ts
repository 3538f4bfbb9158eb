import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { RequestTurns } from '#websocket/connections/request-turns.ts';

test('DEC-STR-104: however many requests of an address come at once, others go on between them', async () => {
  const turns = new RequestTurns();
  const handled: string[] = [];
  const ask = (address: string, effort: number): void => {
    const turn = turns.enter(address, effort);
    if (turn === null) handled.push(address);
    else void turn.then(() => handled.push(address));
  };
  for (let count = 0; count < 1000; count += 1) ask('10.0.0.1', 6);
  ask('10.0.0.2', 6);
  // Eight are handled at once; a turn takes eight more, the other address among the first of them.
  expect(handled).toEqual(Array.from({ length: 8 }, () => '10.0.0.1'));
  await nextTurn();
  await nextTurn();
  expect(handled.slice(8, 10).sort()).toEqual(['10.0.0.1', '10.0.0.2']);
  expect(handled.length).toBeLessThanOrEqual(3 * 8);
  while (handled.length < 1001) await nextTurn();
});

test('DEC-STR-104: a request that comes alone is handled at once', async () => {
  const turns = new RequestTurns();
  expect(turns.enter('10.0.0.1', 100)).toBeNull();
  await nextTurn();
  expect(turns.enter('10.0.0.1', 100)).toBeNull();
});
