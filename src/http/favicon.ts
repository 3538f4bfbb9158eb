import type { FastifyInstance } from 'fastify';
import { pageCost, sendPage, SharedPage } from '#http/shared-page.ts';

/** Path that browsers ask for with every page. */
export const faviconPath = '/favicon.ico';

/** Candles, 16 × 16: `g` rising, `r` falling, a dot is transparent. */
const picture = [
  '................',
  '.............g..',
  '.............g..',
  '............ggg.',
  '.....r......ggg.',
  '.....r......ggg.',
  '....rrr..g..ggg.',
  '....rrr..g..ggg.',
  '.g..rrr.ggg.ggg.',
  '.g..rrr.ggg..g..',
  'ggg.rrr.ggg..g..',
  'ggg..r..ggg.....',
  'ggg..r..ggg.....',
  'ggg......g......',
  '.g..............',
  '................',
] as const;
/** Blue, green, red, opacity. */
const colours: Readonly<Record<string, readonly number[]>> = {
  g: [0x81, 0xb9, 0x10, 0xff],
  r: [0x44, 0x44, 0xef, 0xff],
  '.': [0, 0, 0, 0],
};

/** The picture as a Windows icon with one bitmap of 32 bits a pixel, bottom row first. */
function iconOf(rows: readonly string[]): Buffer {
  const size = rows.length;
  const pixels = Buffer.from([...rows].reverse().flatMap((row) => [...row].flatMap((dot) => colours[dot] ?? [])));
  // A row of the mask has a bit for each pixel and ends with a multiple of 32 bits; opacity says it all already.
  const mask = Buffer.alloc(size * 4);
  const entry = Buffer.alloc(22);
  entry.writeUInt16LE(1, 2);
  entry.writeUInt16LE(1, 4);
  entry.writeUInt8(size, 6);
  entry.writeUInt8(size, 7);
  entry.writeUInt16LE(1, 10);
  entry.writeUInt16LE(32, 12);
  entry.writeUInt32LE(40 + pixels.length + mask.length, 14);
  entry.writeUInt32LE(entry.length, 18);
  const bitmap = Buffer.alloc(40);
  bitmap.writeUInt32LE(bitmap.length, 0);
  bitmap.writeInt32LE(size, 4);
  // Counts the mask's rows too.
  bitmap.writeInt32LE(size * 2, 8);
  bitmap.writeUInt16LE(1, 12);
  bitmap.writeUInt16LE(32, 14);
  return Buffer.concat([entry, bitmap, pixels, mask]);
}

/** Drawn when somebody asks for it. */
let icon: SharedPage | null = null;

/** Registers the icon of the pages of a port. */
export function registerFavicon(app: FastifyInstance): void {
  app.get(faviconPath, { config: { cost: pageCost } }, (request, reply) => {
    icon ??= new SharedPage(iconOf(picture), 'image/x-icon');
    return sendPage(request, reply, icon, 'public, max-age=86400');
  });
}
