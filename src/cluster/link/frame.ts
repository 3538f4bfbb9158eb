import { ByteReader, type ByteWriter, MalformedBytes } from '#base/bytes.ts';

/**
 * What goes over the link: a size, a kind, the number of a command, and what the kind says. The size counts what
 * follows it. Numbers stay for ever: other versions of the link read `hello` and `goodbye` too.
 */
export const frameKinds = {
  /** First frame of each side: version, name of the node, build. */
  hello: 1,
  /** Last frame: why the connection ends, as text. */
  goodbye: 2,
  /** Nothing; the other side lives. */
  beat: 3,
  /** A command whose caller wants its events. */
  submit: 4,
  /** A command whose caller does not. */
  post: 5,
  /** What became of a submitted command. */
  outcome: 6,
  /** A posted command is applied: its position. */
  done: 7,
  /** A command was not taken: whether a person has to act first, and why. */
  refused: 8,
  /** Nobody can say what became of a command: why. */
  lost: 9,
  /** The epoch in which the node leads, and the last entry that it has applied. Comes before any answer. */
  applied: 10,
  /** Asks any node for the list of its segments, from a number on. */
  askSegments: 20,
  /** A part of that list, and whether more follows. */
  segments: 21,
  /** Asks any node for a piece of a segment. */
  askPiece: 22,
  /** That piece, and the size of its file. */
  piece: 23,
  /** What was asked for is not given: why. */
  notGiven: 24,
  /** Asks for the other side's clock; answered by the same kind and number, with its milliseconds since 1970. */
  clock: 30,
  /** A signature that is about to be used, and what it is used for. */
  claim: 31,
  /** Whether it may. */
  claimed: 32,
  /** Signatures that were used for what needs no leave. */
  seen: 33,
  /** What clients used of limits: at the node that tells it, or, from the leader, at all others. */
  counted: 34,
} as const;

/** What a frame is about. */
export type FrameKind = (typeof frameKinds)[keyof typeof frameKinds];

/** Bytes of a frame before its content: size, kind, number of a command. */
export const frameHead = 9;
const sizeBytes = 4;
const headAfterSize = frameHead - sizeBytes;

/** Writes a frame behind those that `writer` has. On failure, what was there stays. Answers the size of its content. */
export function writeFrame(
  writer: ByteWriter,
  kind: FrameKind,
  ref: number,
  content?: (writer: ByteWriter) => void,
): number {
  const start = writer.skip(sizeBytes);
  writer.u8(kind);
  writer.u32(ref);
  try {
    content?.(writer);
  } catch (error) {
    writer.truncate(start);
    throw error;
  }
  writer.patchU32(start, writer.size - start - sizeBytes);
  return writer.size - start - frameHead;
}

/** Told of each frame: the reader stands at its content and ends with it, and is valid during the call. */
export type OnFrame = (kind: number, ref: number, content: ByteReader) => void;

/** Makes frames of the bytes of a connection, however these are cut. */
export class FrameReader {
  /** Greatest size of a frame. */
  sizeMax: number;
  private readonly onFrame: OnFrame;
  private readonly reader = new ByteReader(new Uint8Array(0));
  /** Bytes of a frame that is not whole yet. */
  private pieces: Uint8Array[] = [];
  private size = 0;
  /** Bytes that are needed to go on. */
  private wanted = sizeBytes;

  constructor(sizeMax: number, onFrame: OnFrame) {
    this.sizeMax = sizeMax;
    this.onFrame = onFrame;
  }

  /** Takes the next bytes. @throws MalformedBytes for a frame of an impossible size, and what `onFrame` throws. */
  take(piece: Uint8Array): void {
    this.pieces.push(piece);
    this.size += piece.length;
    if (this.size < this.wanted) return;
    const bytes = this.pieces.length === 1 ? piece : Buffer.concat(this.pieces);
    this.pieces = [];
    this.size = 0;
    const rest = bytes.subarray(this.readFrames(bytes));
    if (rest.length === 0) return;
    this.pieces.push(rest);
    this.size = rest.length;
  }

  /** Answers how many bytes are read. */
  private readFrames(bytes: Uint8Array): number {
    const { reader } = this;
    let at = 0;
    for (;;) {
      this.wanted = sizeBytes;
      if (bytes.length - at < sizeBytes) return at;
      reader.reset(bytes, at);
      const size = reader.u32();
      if (size < headAfterSize || size > this.sizeMax) throw new MalformedBytes(`a frame of ${size} bytes`);
      this.wanted = sizeBytes + size;
      if (bytes.length - at < this.wanted) return at;
      at += this.wanted;
      const kind = reader.u8();
      const ref = reader.u32();
      reader.window(at - size + headAfterSize, at);
      this.onFrame(kind, ref, reader);
    }
  }
}
