import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { OperatorClient } from './operator-client.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { startWebhookReceiver } from '../webhook-receiver.ts';

const data = mkdtempSync(join(tmpdir(), 'bourse-webhooks-'));
const started: ServerProcess[] = [];
afterAll(async () => {
  for (const { process } of started) process.kill('SIGKILL');
  await Promise.all(started.map(({ ended }) => ended));
  rmSync(data, { recursive: true, force: true });
});

const start = async (): Promise<{ readonly server: ServerProcess; readonly operator: OperatorClient }> => {
  const server = await startServer(data);
  started.push(server);
  return { server, operator: new OperatorClient(server.demo) };
};

const rounds = 3;
const actsPerRound = 60;

test('DEC-OPR-240: with SIGKILL in between every event arrives at least once, in order', {
  timeout: 120_000,
}, async () => {
  const receiver = await startWebhookReceiver();
  let { server, operator } = await start();
  const uid = (await operator.must<{ uid: number }>('POST', '/v1/accounts', { name: 'victor' })).uid;
  const kinds = ['account.frozen', 'account.released'];
  receiver.secret = (
    await operator.must<{ secret: string }>('POST', '/v1/webhooks', { url: receiver.url, kinds })
  ).secret;
  const untilReceived = async (count: number): Promise<void> => {
    while (new Set(receiver.received.filter(({ answer }) => answer === 'take').map(({ id }) => id)).size < count)
      await new Promise((resolve) => setTimeout(resolve, 20));
  };
  for (let round = 1; round <= rounds; round += 1) {
    receiver.plan = round === 2 ? ['fail', 'take', 'die', 'take', 'redirect'] : [];
    for (let act = 0; act < actsPerRound; act += 1)
      await operator.must('PUT', `/v1/accounts/${uid}/status`, { status: act % 2 === 0 ? 'frozen' : 'normal' });
    await untilReceived((round - 1) * actsPerRound + 1 + round * 7);
    server.process.kill('SIGKILL');
    await server.ended;
    ({ server, operator } = await start());
  }
  await untilReceived(rounds * actsPerRound);
  const { received } = receiver;
  expect(received.every(({ isSigned }) => isSigned)).toBe(true);
  const taken = received.filter(({ answer }) => answer === 'take');
  const first = taken.filter(({ id }, index) => taken.findIndex((each) => each.id === id) === index);
  expect(first.map(({ kind }) => kind)).toEqual(
    Array.from({ length: rounds * actsPerRound }, (_, index) => kinds[index % 2]),
  );
  const entries = first.map(({ id }) => Number(id.split('-')[0]));
  expect(entries).toEqual(entries.toSorted((one, other) => one - other));
  await receiver.close();
});
