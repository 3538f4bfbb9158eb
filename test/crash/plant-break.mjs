/**
 * `node --import …/plant-break.mjs dist/main/bourse.js …`: the exchange as it was built, but for one claim that its
 * engine makes after each command: that no order of 1337 lots was in it. The product has no hook for this, so its text
 * is changed on its way into the process; that of its threads is not.
 */
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const hooks = `
const place = 'run(entry.command);';
const claim = \`
  const { kind, order, orders } = entry.command;
  const placed = kind === 'placeOrder' ? [order] : kind === 'placeOrders' ? orders : [];
  assert(!placed.some((order) => order.quantity === 1337), 'a planted claim holds');\`;
export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.endsWith('/dist/main/bourse.js')) return loaded;
  const text = String(loaded.source);
  if (text.split(place).length !== 2) throw new Error('there is no one place to plant a claim at');
  return { ...loaded, source: text.replace(place, place + claim) };
}`;

if (isMainThread) register(`data:text/javascript,${encodeURIComponent(hooks)}`);
