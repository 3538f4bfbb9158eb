import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAccountUpkeep } from '#jobs/keep-accounts.ts';
import { expectCode } from './answer-shape.ts';
import { type BrokerHarness, startBrokerHarness } from './broker-harness.ts';
import { keys } from './gateway-harness.ts';

const day = 86_400_000;
let desk: BrokerHarness;
beforeAll(async () => {
  desk = await startBrokerHarness({ settings: { unboundKeyDays: 90 } });
  await desk.post('sub-account/virtualSubAccount', { subAccount: 'customer01', note: 'x' });
});
afterAll(() => desk.close());

const terms = { subAccount: 'customer01', note: 'x', permissions: 'SPOT_ACCOUNT_READ' };
const use = ({ apikey: key, secretKey: secret }: { apikey: string; secretKey: string }) =>
  desk.gate.signed('GET', '/api/v3/uid', {}, { key, secret });
const listed = async (): Promise<readonly { apiKey: string; endTime: number | null }[]> =>
  (await desk.get('sub-account/apiKey', { subAccount: 'customer01' })).body.subAccount;

test('DEC-REQ-147: a key without addresses ends after 90 days, which its answers tell in the last week', async () => {
  const { clock, queries, submit } = desk.gate.exchange;
  const made = clock.time;
  const free = (await desk.post('sub-account/apiKey', terms)).body;
  const bound = (await desk.post('sub-account/apiKey', { ...terms, ip: '127.0.0.1' })).body;
  expect((await listed()).map(({ endTime }) => endTime)).toEqual([made + 90 * day, null]);
  clock.time = made + 83 * day - 1;
  expect((await use(free)).headers.get('X-Bourse-Key-Ends')).toBeNull();
  clock.time += 1;
  expect((await use(free)).headers.get('X-Bourse-Key-Ends')).toBe(String(made + 90 * day));
  expect((await use(bound)).headers.get('X-Bourse-Key-Ends')).toBeNull();
  clock.time = made + 90 * day - 1;
  expect((await use(free)).status).toBe(200);
  clock.time += 1;
  expectCode(await use(free), 10072);
  expect((await use(bound)).status).toBe(200);
  const facts: string[] = [];
  const upkeep = startAccountUpkeep({
    ingress: {
      submit: async (command) => {
        const outcome = await submit(command);
        facts.push(...outcome.events.map((event) => (event.kind === 'apiKeyDeleted' ? event.accessKey : event.kind)));
        return outcome;
      },
    },
    queries,
    clock: { now: () => clock.time },
    repeat: () => () => {},
    everyMs: 1000,
    onTrouble: (what, error) => {
      throw new Error(what, { cause: error });
    },
  });
  await upkeep.run();
  expect(facts).toEqual([free.apikey]);
  expect((await listed()).map(({ apiKey }) => apiKey)).toEqual([bound.apikey]);
  await upkeep.run();
  expect(facts).toHaveLength(1);
  await upkeep.stop();
  expect((await desk.gate.signed('GET', '/api/v3/uid', {}, { key: keys.broker })).status).toBe(200);
});
