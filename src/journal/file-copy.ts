import type { FileOperations } from '#journal/file-operations.ts';
import { withFile } from '#journal/file-operations.ts';
import { temporaryPath } from '#journal/segment-directory.ts';
import { isZero } from '#journal/segment-format.ts';

const chunkSize = 1024 * 1024;

/**
 * Writes a file under a temporary name, using `write` for its content, syncs it and renames it. After the next
 * `syncDirectory` the rename survives a crash; until then the file is either complete or as it was before.
 */
export async function writeWhole(
  files: FileOperations,
  path: string,
  write: (put: (bytes: Uint8Array) => Promise<void>) => Promise<void>,
): Promise<void> {
  await withFile(files, temporaryPath(path), 'create', async (file) => {
    let at = 0;
    await write(async (bytes) => {
      await file.write(bytes, at);
      at += bytes.length;
    });
    await file.sync();
  });
  await files.rename(temporaryPath(path), path);
}

/** Bytes of a file or segment up to `end` (exclusive), in chunks. The chunk buffer is reused. */
export async function* chunksOf(
  source: { read(into: Uint8Array, position: number): Promise<number> },
  end: number,
): AsyncGenerator<Uint8Array> {
  const chunk = new Uint8Array(chunkSize);
  for (let at = 0; at < end; at += chunkSize) {
    const count = await source.read(chunk.subarray(0, Math.min(chunkSize, end - at)), at);
    yield chunk.subarray(0, count);
  }
}

/** Copies a file without the zeros at its end, of which an open segment has many. */
export async function copyWhole(files: FileOperations, from: string, to: string): Promise<void> {
  await withFile(files, from, 'read', async (source) => {
    const size = await source.size();
    await writeWhole(files, to, async (put) => {
      let zeros = 0;
      for await (const chunk of chunksOf(source, size)) {
        if (isZero(chunk, 0, chunk.length)) {
          zeros += chunk.length;
          continue;
        }
        for (; zeros > 0; zeros -= Math.min(zeros, chunkSize)) await put(new Uint8Array(Math.min(zeros, chunkSize)));
        await put(chunk);
      }
    });
  });
}
