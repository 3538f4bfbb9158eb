import { expect, test } from 'vitest';
import { faultLimits } from '#sandbox/faults/fault-rule.ts';
import { Holding } from '#sandbox/faults/holding.ts';

test('DEC-KIT-24: at most so many answers are held, and further ones are not', async () => {
  const due: (() => void)[] = [];
  const holding = new Holding((_ms, run) => {
    due.push(run);
    return () => {};
  });
  const [one, other] = [{}, {}];
  const held = Array.from({ length: faultLimits.held }, () => holding.wait(one, 1000));
  await holding.wait(other, 1000);
  expect(due).toHaveLength(faultLimits.held);
  due[0]?.();
  await held[0];
  const last = holding.wait(other, 1000);
  expect(due).toHaveLength(faultLimits.held + 1);
  holding.release(one);
  await Promise.all(held);
  holding.release(other);
  await last;
});
