import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { as } from '#model/units.ts';
import { StateFiles } from '#main/states/state-files.ts';
import { firstState, type KeptState, stateLimits } from '#sandbox/kept-states.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bourse-states-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const moment = { exchangeTime: as<KeptState['exchangeTime']>(1000), lastEntry: as<KeptState['lastEntry']>(7) };
const add = (name: string, put: (folder: string) => void = () => {}): Promise<KeptState> =>
  new StateFiles(root, '1.0.0').add({
    name,
    keptAt: 2000,
    copy: async (folder) => {
      put(folder);
      return moment;
    },
  });
const names = async () => (await new StateFiles(root, '1.0.0').list()).map(({ name }) => name);

describe('states on the disk', () => {
  test('DEC-KIT-10: are listed by name with their sizes, and removed', async () => {
    await add('b', (folder) => writeFileSync(join(folder, 'history.db'), 'x'.repeat(500)));
    await add('a');
    const files = new StateFiles(root, '1.0.0');
    expect(await files.list()).toEqual([
      { ...moment, name: 'a', keptAt: 2000, bytes: 0 },
      { ...moment, name: 'b', keptAt: 2000, bytes: 500 },
    ]);
    await files.remove('b');
    expect([await names(), readdirSync(join(root, 'states'))]).toEqual([['a'], ['a']]);
  });

  test('DEC-KIT-10: one that could not be copied, or was cut short by a crash, is not there', async () => {
    const failed = add('a', () => {
      throw new Error('no room');
    });
    await expect(failed).rejects.toThrow('no room');
    expect(readdirSync(join(root, 'states'))).toEqual([]);
    mkdirSync(join(root, 'states', '.a', 'content'), { recursive: true });
    expect(await names()).toEqual([]);
    await add('a');
    expect(await names()).toEqual(['a']);
  });

  test('DEC-KIT-15: there are 32 at most beside the first one, and they are bounded in bytes', async () => {
    const tooLarge = add('a', (folder) => {
      writeFileSync(join(folder, 'history.db'), '');
      truncateSync(join(folder, 'history.db'), stateLimits.bytes + 1);
    });
    await expect(tooLarge).rejects.toMatchObject({ refusal: 'statesTooLarge' });
    expect(readdirSync(join(root, 'states'))).toEqual([]);
    for (let index = 0; index < stateLimits.states; index += 1) await add(`state-${index}`);
    await expect(add('one-more')).rejects.toMatchObject({ refusal: 'tooManyStates' });
    await add(firstState);
    expect(await names()).toHaveLength(33);
  });
});
