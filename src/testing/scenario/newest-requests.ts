import { isoTime } from '#base/clock.ts';
import type { World } from '#testing/scenario/world.ts';

const linesMost = 10;

/** The newest requests of the exchange's log, a line each, newest first; none where it has no log. */
export async function newestRequests({ operator }: Pick<World, 'operator'>): Promise<readonly string[]> {
  const { items } = await operator.listRequests({ kind: 'request', limit: linesMost }).catch(() => ({ items: [] }));
  return items.map(({ id, at, method, path, account, status, refusal, fault }) =>
    [
      `${id}  ${isoTime(at)}  ${method} ${path}`,
      ...(account === null ? [] : [`of ${account}`]),
      `-> ${status ?? 'cut'}`,
      ...(refusal === null ? [] : [refusal]),
      ...(fault === null ? [] : [`(fault ${fault})`]),
    ].join(' '),
  );
}
