import type { FileHandle } from 'node:fs/promises';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ChainStorage } from '#custody/simulated/chain-file.ts';

const ownerOnly = 0o600;
const pieceSize = 1 << 20;

/** A file on the machine's disk, for its owner only. Its directory exists, and no other process writes to it. */
export function nodeChainStorage(path: string): ChainStorage {
  let appending: FileHandle | null = null;
  const close = async (): Promise<void> => {
    const handle = appending;
    appending = null;
    await handle?.close();
  };
  return {
    read: () => pieces(path),
    replace: async (content) => {
      await close();
      const next = `${path}.next`;
      await withHandle(next, 'w', async (handle) => {
        await handle.writeFile(content);
        await handle.sync();
      });
      await rename(next, path);
      await syncDirectory(dirname(path));
    },
    cut: (size) =>
      withHandle(path, 'r+', async (handle) => {
        await handle.truncate(size);
        await handle.sync();
      }),
    append: async (bytes) => {
      appending ??= await open(path, 'a', ownerOnly);
      await appending.writeFile(bytes);
      await appending.datasync();
    },
    close,
  };
}

async function* pieces(path: string): AsyncIterable<Uint8Array> {
  let handle: FileHandle;
  try {
    handle = await open(path, 'r');
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return;
    throw error;
  }
  try {
    for (;;) {
      const { bytesRead, buffer } = await handle.read(new Uint8Array(pieceSize), 0, pieceSize);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

async function withHandle(path: string, flags: string, use: (handle: FileHandle) => Promise<void>): Promise<void> {
  const handle = await open(path, flags, ownerOnly);
  try {
    await use(handle);
  } finally {
    await handle.close();
  }
}

/** Resolves once the names in a directory survive a crash; on Windows directories cannot be synchronised. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  await withHandle(directory, 'r', (handle) => handle.sync());
}
