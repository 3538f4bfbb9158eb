import { BackupRefused, isBackupName } from '#main/backup/backup-files.ts';

/*
 * The part of the tar format (POSIX ustar) that a backup needs: regular files with short names. Sizes of 8 GiB and more
 * are written in binary, as GNU tar and bsdtar do. A package was considered: decisions/0003.
 */

const blockSize = 512;
const octalMax = 0o77777777777;
const sizeAt = 124;
const checksumAt = 148;
const ownerOnly = 0o600;

const paddingOf = (size: number): number => (blockSize - (size % blockSize)) % blockSize;
const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`;

function checksumOf(header: Buffer): number {
  let sum = 0;
  for (const [at, byte] of header.entries()) sum += at >= checksumAt && at < checksumAt + 8 ? ' '.charCodeAt(0) : byte;
  return sum;
}

/** The block before a file. `name`: at most 100 characters of ASCII. */
export function tarHeader(name: string, size: number, atMs: number): Uint8Array {
  const header = Buffer.alloc(blockSize);
  header.write(name, 0, 100, 'latin1');
  header.write(octal(ownerOnly, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  if (size <= octalMax) header.write(octal(size, 11), sizeAt);
  else {
    header[sizeAt] = 0x80;
    header.writeBigUInt64BE(BigInt(size), sizeAt + 4);
  }
  header.write(octal(Math.floor(atMs / 1000), 11), 136);
  header.write('0', 156);
  header.write('ustar\x0000', 257, 'latin1');
  header.write(`${octal(checksumOf(header), 6)} `, checksumAt);
  return header;
}

/** The zeros behind a file of this size. */
export const tarPadding = (size: number): Uint8Array => new Uint8Array(paddingOf(size));
/** The end of an archive. */
export const tarEnd = (): Uint8Array => new Uint8Array(2 * blockSize);

/** A file of an archive; its content has to be read before the next one. */
export interface TarFile {
  readonly name: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/** Bytes of a stream, as many at a time as are asked for. */
class StreamBytes {
  private readonly chunks: AsyncIterator<Uint8Array>;
  private rest: Uint8Array = new Uint8Array(0);

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.chunks = stream[Symbol.asyncIterator]();
  }

  /** Up to `most` bytes, at least one. @throws BackupRefused at the end of the stream. */
  async some(most: number): Promise<Uint8Array> {
    while (this.rest.length === 0) {
      const next = await this.chunks.next();
      if (next.done === true) throw new BackupRefused('the tar stream is cut short');
      this.rest = next.value;
    }
    const some = this.rest.subarray(0, most);
    this.rest = this.rest.subarray(some.length);
    return some;
  }

  async exactly(size: number): Promise<Buffer> {
    const bytes = Buffer.alloc(size);
    for (let at = 0; at < size; ) {
      const some = await this.some(size - at);
      bytes.set(some, at);
      at += some.length;
    }
    return bytes;
  }
}

/** The files of an archive that `bourse backup --stream` wrote. @throws BackupRefused for any other. */
export async function* readTar(stream: AsyncIterable<Uint8Array>): AsyncGenerator<TarFile> {
  const bytes = new StreamBytes(stream);
  for (;;) {
    const header = await bytes.exactly(blockSize);
    if (header.every((byte) => byte === 0)) {
      const second = await bytes.exactly(blockSize);
      if (second.some((byte) => byte !== 0)) throw new BackupRefused('the tar stream does not end as one of a backup');
      return;
    }
    const { name, size } = parseHeader(header);
    let left = size;
    yield {
      name,
      content: (async function* () {
        while (left > 0) {
          const some = await bytes.some(left);
          left -= some.length;
          yield some;
        }
      })(),
    };
    if (left > 0) throw new Error(`${name} was not read to its end`);
    await bytes.exactly(paddingOf(size));
  }
}

function parseHeader(header: Buffer): { readonly name: string; readonly size: number } {
  const text = (from: number, to: number): string => header.toString('latin1', from, to).replace(/\0.*$/s, '');
  if (Number.parseInt(text(checksumAt, checksumAt + 7), 8) !== checksumOf(header) || text(257, 262) !== 'ustar')
    throw new BackupRefused('the stream is not a tar stream, or is damaged');
  const name = text(0, 100);
  if (text(156, 157) !== '0' || !isBackupName(name))
    throw new BackupRefused(`the tar stream holds ${JSON.stringify(name)}, which no backup does`);
  const size =
    header[sizeAt] === 0x80
      ? Number(header.readBigUInt64BE(sizeAt + 4))
      : Number.parseInt(text(sizeAt, sizeAt + 12), 8);
  if (!Number.isSafeInteger(size) || size < 0)
    throw new BackupRefused(`the tar stream is damaged at ${JSON.stringify(name)}`);
  return { name, size };
}
