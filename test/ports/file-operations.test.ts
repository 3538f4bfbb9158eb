import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import type { FileOperations } from '#journal/file-operations.ts';
import { withFile } from '#journal/file-operations.ts';
import { MemoryDisk } from './memory-file-operations.ts';
import { nodeFileOperations, temporaryFileOperations } from '#journal/node-file-operations.ts';

/** A file system under test, and hands from outside that take things away from it. */
interface Place {
  readonly files: FileOperations;
  /** An empty directory. */
  readonly root: string;
  remove(path: string): Promise<void>;
  /** Leaves an equal one in its place. */
  copy(path: string): Promise<void>;
  cleanUp(): Promise<void>;
}

function inMemory(): Promise<Place> {
  const disk = new MemoryDisk(createPrng(1));
  return Promise.resolve({
    files: disk,
    root: 'root',
    remove: async (path) => disk.takeAway(path, { copied: false }),
    copy: async (path) => disk.takeAway(path, { copied: true }),
    cleanUp: async () => undefined,
  });
}

async function onDisk(files: FileOperations): Promise<Place> {
  const root = await mkdtemp(join(tmpdir(), 'files-'));
  return {
    files,
    root,
    remove: (path) => rm(path, { recursive: true }),
    copy: async (path) => {
      await cp(path, `${path}.copy`, { recursive: true, preserveTimestamps: true });
      await rm(path, { recursive: true });
      await rename(`${path}.copy`, path);
    },
    cleanUp: () => rm(root, { recursive: true }),
  };
}

const put = (files: FileOperations, path: string): Promise<void> =>
  withFile(files, path, 'create', async (file) => {
    await file.write(new Uint8Array([1, 2, 3]), 0);
    await file.sync();
  });

describe.each([
  ['memory', inMemory],
  ['node', () => onDisk(nodeFileOperations)],
  ['temporary', () => onDisk(temporaryFileOperations)],
])('file operations contract: held names, %s', (_name, makePlace) => {
  test('a name stands for its file or directory until that is removed or an equal one takes its place', async () => {
    const place = await makePlace();
    const { files, root } = place;
    for (const change of ['remove', 'copy'] as const) {
      const directory = `${root}/${change}`;
      const file = `${directory}/one`;
      await files.makeDirectory(directory);
      await put(files, file);
      const held = [await files.hold(directory), await files.hold(file)];
      expect(held.map((name) => name.isStillNamed())).toEqual([true, true]);
      await put(files, `${directory}/other`);
      expect(held.map((name) => name.isStillNamed())).toEqual([true, true]);
      await place[change](file);
      expect(held.map((name) => name.isStillNamed())).toEqual([true, false]);
      await place[change](directory);
      expect(held.map((name) => name.isStillNamed())).toEqual([false, false]);
      expect(held.map((name) => name.path)).toEqual([directory, file]);
      for (const name of held) await name.release();
    }
    await place.cleanUp();
  });

  test('what is not there cannot be held', async () => {
    const place = await makePlace();
    await expect(place.files.hold(`${place.root}/missing`)).rejects.toMatchObject({ code: 'ENOENT' });
    await place.cleanUp();
  });

  test('a file that another one was renamed over has lost its name', async () => {
    const place = await makePlace();
    const { files, root } = place;
    await put(files, `${root}/one`);
    await put(files, `${root}/two`);
    const held = await files.hold(`${root}/one`);
    await files.rename(`${root}/two`, `${root}/one`);
    expect(held.isStillNamed()).toBe(false);
    await held.release();
    await place.cleanUp();
  });
});

test('a directory above that was moved away takes the names below with it, and brings them back', async () => {
  const place = await onDisk(nodeFileOperations);
  const path = join(place.root, 'data', 'journal');
  await mkdir(path, { recursive: true });
  await writeFile(join(path, 'one'), 'x');
  const held = await nodeFileOperations.hold(join(path, 'one'));
  await rename(dirname(path), join(place.root, 'moved'));
  expect(held.isStillNamed()).toBe(false);
  await rename(join(place.root, 'moved'), dirname(path));
  expect(held.isStillNamed()).toBe(true);
  await held.release();
  await place.cleanUp();
});
