import { startBourse, type TestExchange } from '#testing/testing.ts';
import { alone, atMost, type BenchGroup, collectGarbage } from './harness.ts';

const megabyte = 2 ** 20;
const residentMegabytes = (): number => process.memoryUsage().rss / megabyte;

/** An order that rests, as a bot of the test would place it. */
async function placeOrder(exchange: TestExchange): Promise<void> {
  const client = exchange.client('alice');
  await client.placeOrder({ symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '50000' });
}

/** `worlds`: many exchanges of tests side by side in this process, without history. */
export const group: BenchGroup = {
  names: ['worlds/ready', 'worlds/memory', 'worlds/order'],
  async run(size, report) {
    const count = size.quick ? 20 : 100;
    const options = { now: '2026-01-01T00:00:00Z', settings: { rateLimits: false } };
    // Modules are loaded once a process.
    const worlds = [await startBourse(options)];
    const ready: number[] = [];
    const orders: number[] = [];
    try {
      collectGarbage();
      const before = residentMegabytes();
      while (worlds.length <= count) {
        const began = performance.now();
        worlds.push(await startBourse(options));
        ready.push(performance.now() - began);
      }
      for (const world of worlds) {
        const began = performance.now();
        await placeOrder(world);
        orders.push(performance.now() - began);
      }
      collectGarbage();
      const memory = (residentMegabytes() - before) / count;
      const note = `${count} exchanges side by side, their clocks stand`;
      report(alone({ name: 'worlds/ready', unit: 'ms', must: atMost(300), aim: atMost(150), note }, ready));
      report(
        alone({ name: 'worlds/memory', unit: 'MB', must: atMost(60), aim: atMost(10), note: 'each, with an order' }, [
          memory,
        ]),
      );
      report(alone({ name: 'worlds/order', unit: 'ms', must: null, aim: null, note: 'its first, signed' }, orders));
    } finally {
      for (const world of worlds) await world.close();
    }
  },
};
