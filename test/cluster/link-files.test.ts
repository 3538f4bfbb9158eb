import { afterEach, describe, expect, test } from 'vitest';
import { type ByteReader, ByteWriter } from '#base/bytes.ts';
import { NotGiven, readListed, writeListed } from '#cluster/link/file-frames.ts';
import { type FetchingLink, openFetchingLink } from '#cluster/link/fetching-link.ts';
import { FrameReader, frameKinds } from '#cluster/link/frame.ts';
import { linkLimits } from '#cluster/link/link-limits.ts';
import type { LinkServer } from '#cluster/link/link-server.ts';
import type { GivenFile, GivenSegment, GivenSegments, SegmentForm } from '#journal/given-segments.ts';
import { as } from '#model/units.ts';
import { closed, endAll, ends, frame, hello, host, key, otherKey, peer, serve, soon, submit } from './link-harness.ts';

afterEach(endAll);

const { pieceSize } = linkLimits;
const hash = (value: number): Uint8Array => new Uint8Array(32).fill(value % 256);
const segment = (number: number, size = 1000): GivenSegment => ({
  ...{ number, firstSeq: as(number * 10 - 9), lastSeq: as(number * 10), size },
  ...{ previousHash: hash(number), lastHash: hash(number + 1) },
});
const byteAt = (number: number, position: number): number => (number * 31 + position * 7) % 251;

/** A server of a node that follows, unless `leads`. */
async function giving(given: GivenSegments | null, leads = false) {
  const served = await serve();
  if (!leads) served.server.lead(null);
  if (given !== null) served.server.give(given);
  return served;
}

/** Segments in memory that note what is opened and closed. */
function segmentsOf(list: readonly GivenSegment[]) {
  const opened: string[] = [];
  let open = 0;
  const gone = new Set<SegmentForm>();
  const given: GivenSegments & { fails: boolean } = {
    fails: false,
    list: () => list,
    open: async (number, form) => {
      opened.push(`${number} ${form}`);
      const found = list.find((each) => each.number === number);
      if (found === undefined || gone.has(form)) return null;
      open += 1;
      const file: GivenFile = {
        size: found.size,
        read: async (into, position) => {
          if (given.fails) throw Object.assign(new Error('EIO: read'), { code: 'EIO' });
          for (let at = 0; at < into.length; at += 1) into[at] = byteAt(number, position + at);
          return into.length;
        },
        close: async () => void (open -= 1),
      };
      return file;
    },
  };
  return { given, opened, gone, open: () => open };
}

async function linkTo(server: LinkServer, withKey = key): Promise<FetchingLink> {
  const link = await openFetchingLink({
    key: withKey,
    own: { node: 'c', build: '1' },
    // The time of the server is that of the test: it sends no beats.
    repeat: () => () => {},
    address: `${host}:${server.port}`,
  });
  ends.push(() => link.close());
  return link;
}

const piece = (number: number, position: number, size = pieceSize, form: SegmentForm = 'raw') => ({
  ...{ number, position, size, form },
});

describe('DEC-CLU-14: files over the link', () => {
  test('come in pieces, several of them on their way, and end with the file', async () => {
    const size = 3 * pieceSize + 77;
    const { given, opened, open } = segmentsOf([segment(1), segment(2, size)]);
    const { server } = await giving(given);
    const link = await linkTo(server);
    const positions = [0, 1, 2, 3].map((index) => index * pieceSize);
    const pieces = await Promise.all(positions.map((position) => link.piece(piece(2, position))));
    expect(pieces.map(({ fileSize }) => fileSize)).toEqual([size, size, size, size]);
    const bytes = Buffer.concat(pieces.map((each) => each.bytes));
    expect(bytes.length).toBe(size);
    expect(bytes.findIndex((value, position) => value !== byteAt(2, position))).toBe(-1);
    expect((await link.piece(piece(2, size))).bytes).toHaveLength(0);
    expect((await link.piece(piece(2, Number.MAX_SAFE_INTEGER))).bytes).toHaveLength(0);
    expect(opened).toEqual(['2 raw']);
    await link.piece(piece(1, 5, 10));
    expect(open()).toBe(1);
    link.close();
    await expect.poll(open, soon).toBe(0);
    expect(server.counts.fetching).toBe(0);
  });

  test('a list comes in parts, from the number on that is asked for', async () => {
    const all = Array.from({ length: linkLimits.listed + 3 }, (_, index) => segment(index + 1));
    const { server } = await giving(segmentsOf(all).given);
    const link = await linkTo(server);
    const part = await link.list(1);
    expect(part.hasMore).toBe(true);
    expect(part.segments.map(({ number }) => number)).toEqual(
      all.slice(0, linkLimits.listed).map(({ number }) => number),
    );
    expect(await link.list(linkLimits.listed + 1)).toEqual({ segments: all.slice(linkLimits.listed), hasMore: false });
    expect(await link.list(Number.MAX_SAFE_INTEGER)).toEqual({ segments: [], hasMore: false });
  });

  test('what is not there is refused, and so is what cannot be read; the next question is answered', async () => {
    const { given, gone } = segmentsOf([segment(1)]);
    const { server, troubles } = await giving(null);
    const link = await linkTo(server);
    await expect(link.list(1)).rejects.toThrow(new NotGiven('busy'));
    server.give(given);
    await expect(link.piece(piece(9, 0))).rejects.toThrow(new NotGiven('gone'));
    gone.add('compressed');
    await expect(link.piece(piece(1, 0, 10, 'compressed'))).rejects.toThrow(new NotGiven('gone'));
    given.fails = true;
    await expect(link.piece(piece(1, 0, 10))).rejects.toThrow(new NotGiven('fault'));
    given.fails = false;
    expect((await link.piece(piece(1, 0, 10))).bytes).toHaveLength(10);
    expect(troubles).toEqual([expect.stringMatching(/giving files to another node: EIO/)]);
  });

  test('so many nodes at a time; who asks for nothing for a while makes place', async () => {
    const { server, tick } = await giving(segmentsOf([segment(1)]).given);
    const links = await Promise.all(Array.from({ length: linkLimits.fetching + 1 }, () => linkTo(server)));
    const last = links.pop()!;
    for (const link of links) await link.list(1);
    await expect(last.list(1)).rejects.toThrow(new NotGiven('busy'));
    await expect(last.piece(piece(1, 0))).rejects.toThrow(new NotGiven('busy'));
    expect(server.counts).toMatchObject({ connected: linkLimits.fetching + 1, fetching: linkLimits.fetching });
    links[0]!.close();
    await expect.poll(() => server.counts.fetching, soon).toBe(linkLimits.fetching - 1);
    await last.list(1);
    expect(server.counts.fetching).toBe(linkLimits.fetching);
    // Of the two, one goes on asking.
    for (let index = 0; index <= linkLimits.idleFetchMs / linkLimits.tickMs; index += 1) {
      await last.list(1);
      tick();
    }
    expect(server.counts.fetching).toBe(1);
  });

  test('a leader rests after each piece', async () => {
    const { server, elapse } = await giving(segmentsOf([segment(1)]).given, true);
    const link = await linkTo(server);
    await link.piece(piece(1, 0, 10));
    let isAnswered = false;
    const second = link.piece(piece(1, 10, 10)).then(() => (isAnswered = true));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isAnswered).toBe(false);
    elapse();
    await second;
  });

  test('another key is refused by name', async () => {
    const { server } = await giving(segmentsOf([segment(1)]).given);
    await expect(linkTo(server, otherKey)).rejects.toThrow('its master key is not that of this node');
  });

  test('nothing is said before hello, however long a node takes to answer', async () => {
    const { server } = await giving(segmentsOf([segment(1)]).given);
    const ticks: (() => unknown)[] = [];
    const opening = openFetchingLink({
      ...{ key, own: { node: 'c', build: '1' }, address: `${host}:${server.port}` },
      repeat: (_everyMs, run) => {
        ticks.push(run);
        return () => {};
      },
    });
    for (let count = 0; count < 4; count += 1) for (const tick of ticks) tick();
    const link = await opening;
    ends.push(() => link.close());
    expect(ticks).toHaveLength(1);
    expect((await link.list(1)).segments).toHaveLength(1);
  });

  test('a connection that ends fails what is asked; nothing can be asked any more', async () => {
    const { given } = segmentsOf([segment(1)]);
    const { server } = await giving({ ...given, open: () => new Promise(() => {}) });
    const link = await linkTo(server);
    const asked = link.piece(piece(1, 0));
    link.close();
    await expect(asked).rejects.toThrow('everything is fetched');
    await expect(link.list(1)).rejects.toThrow('everything is fetched');
  });

  const asks = (content: (writer: ByteWriter) => void): Uint8Array => frame(frameKinds.askPiece, 1, content);
  const numbers =
    (form: number, ...values: readonly number[]) =>
    (writer: ByteWriter): void => {
      writer.u8(form);
      for (const value of values) writer.varint(value);
    };
  const breaches: readonly [string, Uint8Array][] = [
    ['a form of no kind', asks(numbers(2, 1, 0, 10))],
    ['a piece of no bytes', asks(numbers(0, 1, 0, 0))],
    ['a piece that is too large', asks(numbers(0, 1, 0, pieceSize + 1))],
    ['a question that is cut short', asks(numbers(0, 1))],
    ['a question with more behind it', asks(numbers(0, 1, 0, 10, 5))],
    ['a name instead of a number', asks((writer) => writer.text('../../../etc/passwd'))],
    ['an answer', frame(frameKinds.piece, 1, (writer) => writer.varint(1))],
    ['a refusal', frame(frameKinds.notGiven, 1, (writer) => writer.u8(0))],
    ['more questions than may be', Buffer.concat(Array.from({ length: 9 }, () => asks(numbers(0, 1, 0, 10))))],
  ];
  test.each(breaches)('%s: it is disconnected', async (_what, bytes) => {
    const { server } = await giving(segmentsOf([segment(1)]).given);
    const socket = await peer(server.port);
    const end = closed(socket);
    socket.write(Buffer.concat([hello(), bytes]));
    await end;
    await expect.poll(() => server.counts, soon).toMatchObject({ connected: 0, fetching: 0 });
  });

  test('commands and files share a connection', async () => {
    const { server, taken } = await giving(segmentsOf([segment(1)]).given, true);
    const kinds: number[] = [];
    const reader = new FrameReader(1 << 20, (kind) => kinds.push(kind));
    const socket = await peer(server.port);
    socket.on('data', (bytes: Buffer) => reader.take(bytes));
    const list = frame(frameKinds.askSegments, 7, (writer) => writer.varint(1));
    socket.write(Buffer.concat([hello(), submit(1), list, submit(2)]));
    await expect.poll(() => kinds.filter((kind) => kind === frameKinds.segments), soon).toHaveLength(1);
    await expect.poll(() => taken.length, soon).toBe(2);
  });
});

describe('a list of segments', () => {
  const read = (parts: Parameters<typeof writeListed>[1]): ReturnType<typeof readListed> => {
    const writer = new ByteWriter(64);
    writeListed(writer, parts);
    return readListed(readerOf(writer.take()));
  };
  test('is read as it was written', () => {
    const parts = { segments: [segment(3), segment(4)], hasMore: true };
    expect(read(parts)).toEqual(parts);
  });
  test.each([
    ['a gap', { segments: [segment(3), segment(5)], hasMore: false }],
    [
      'no number',
      { segments: [{ ...segment(1), number: 0, firstSeq: as<GivenSegment['firstSeq']>(1) }], hasMore: false },
    ],
    ['no entries', { segments: [{ ...segment(1), lastSeq: as<GivenSegment['lastSeq']>(0) }], hasMore: false }],
    ['more of nothing', { segments: [], hasMore: true }],
  ])('with %s is refused', (_what, parts) => {
    expect(() => read(parts)).toThrow();
  });
});

function readerOf(bytes: Uint8Array): ByteReader {
  let got: ByteReader | undefined;
  new FrameReader(1 << 20, (_kind, _ref, content) => {
    got = content;
  }).take(frame(frameKinds.segments, 1, (writer) => writer.raw(bytes)));
  return got!;
}
