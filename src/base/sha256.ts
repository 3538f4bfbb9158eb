import { utf8Size, writeUtf8 } from '#base/utf8.ts';

// SHA-256 (FIPS 180-4), for the floors that have neither packages nor `node:` modules.

// biome-ignore format: sixteen lines of four, as the standard lists them
const roundConstants = Int32Array.of(
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
);
const initialHash = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
] as const;

const blockSize = 64;
/** The bit after the text, and its length in 64 bits. */
const paddingLeast = 9;

/** SHA-256 of a text in UTF-8, as 64 lower-case hex characters. */
export function sha256(text: string): string {
  const size = utf8Size(text);
  const bytes = new Uint8Array(Math.ceil((size + paddingLeast) / blockSize) * blockSize);
  writeUtf8(text, size, bytes, 0);
  bytes[size] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 8, Math.floor(size / 2 ** 29));
  view.setUint32(bytes.length - 4, size << 3);
  const hash = Int32Array.from(initialHash);
  const schedule = new Int32Array(blockSize);
  for (let at = 0; at < bytes.length; at += blockSize) {
    spreadBlock(view, at, schedule);
    addBlock(hash, schedule);
  }
  return Array.from(hash, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

const rotated = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

function spreadBlock(view: DataView, at: number, schedule: Int32Array): void {
  for (let index = 0; index < 16; index += 1) schedule[index] = view.getInt32(at + index * 4);
  for (let index = 16; index < blockSize; index += 1) {
    const before = schedule[index - 15] as number;
    const last = schedule[index - 2] as number;
    const low = rotated(before, 7) ^ rotated(before, 18) ^ (before >>> 3);
    const high = rotated(last, 17) ^ rotated(last, 19) ^ (last >>> 10);
    schedule[index] = (schedule[index - 16] as number) + low + (schedule[index - 7] as number) + high;
  }
}

function addBlock(hash: Int32Array, schedule: Int32Array): void {
  let [a, b, c, d, e, f, g, h] = hash as unknown as [number, number, number, number, number, number, number, number];
  for (let round = 0; round < blockSize; round += 1) {
    const chosen = (e & f) ^ (~e & g);
    const mixed = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const first = (h + mixed + chosen + (roundConstants[round] as number) + (schedule[round] as number)) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + majority;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) hash[index] = (hash[index] as number) + word;
}
