import type { FetchingLink } from '#cluster/link/fetching-link.ts';
import { NotGiven, type Piece } from '#cluster/link/file-frames.ts';
import { linkLimits } from '#cluster/link/link-limits.ts';
import { type FetchedSegments, type FetchPlace, OtherThanListed, startOfNext } from '#journal/fetched-segments.ts';
import type { GivenSegment, SegmentForm } from '#journal/given-segments.ts';
import { begunSegments, surveyJournal } from '#journal/journal-survey.ts';
import { bytesEqual, type SegmentStart } from '#journal/segment-format.ts';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';

/** Another node does not help now; another try may. */
export class NodeFailed extends Error {
  override name = 'NodeFailed';
}
/** Another node does not have what is needed, and will not. */
export class NodeLacks extends Error {
  override name = 'NodeLacks';
}

/** Pieces that are on their way at a time. */
const piecesAhead = 4;
/** Compressing makes a segment larger by at most this much: a part of its size, and a number of bytes. */
const overhead = { share: 1 / 64, bytes: 1 << 20 } as const;

/** The segments of another node, over the link to it. */
export class NodeFiles {
  private readonly link: FetchingLink;

  constructor(link: FetchingLink) {
    this.link = link;
  }

  /** All its segments. @throws NodeFailed */
  async list(): Promise<readonly GivenSegment[]> {
    const all: GivenSegment[] = [];
    for (let from = 1, hasMore = true; hasMore; from = (all.at(-1)?.number ?? 0) + 1) {
      const part = await asked(this.link.list(from));
      const [first] = part.segments;
      const last = all.at(-1);
      if (last !== undefined && first !== undefined && first.number !== last.number + 1)
        throw new NodeFailed('its list of segments has a gap');
      all.push(...part.segments);
      ({ hasMore } = part);
    }
    return all;
  }

  /**
   * Fetches a listed segment, in whichever form the node has it.
   * @throws NodeFailed, also for other bytes than were listed
   */
  async fetch(into: FetchedSegments, listed: GivenSegment): Promise<void> {
    // One that is compressed meanwhile is there in the other form.
    for (const form of ['compressed', 'raw', 'compressed'] as const) {
      try {
        await into.add(listed, form, this.content(listed, form));
        return;
      } catch (error) {
        if (error instanceof OtherThanListed) throw new NodeFailed(`what it gives is wrong: ${error.message}`);
        if (!(error instanceof NodeFailed && isGone(error))) throw error;
      }
    }
    throw new NodeFailed(`it no longer has segment ${listed.number}`);
  }

  private async *content(listed: GivenSegment, form: SegmentForm): AsyncGenerator<Uint8Array> {
    const { number } = listed;
    const piece = (position: number, size: number): Promise<Piece> =>
      asked(this.link.piece({ number, form, position, size }));
    const first = await piece(0, linkLimits.pieceSize);
    const end = endOf(first.fileSize, listed, form);
    const sizeAt = (position: number): number => Math.min(linkLimits.pieceSize, end - position);
    const ahead: Promise<Piece>[] = [];
    let next: number = linkLimits.pieceSize;
    yield requireWhole(first.bytes.subarray(0, end), number, sizeAt(0));
    for (let position = next; position < end; position += linkLimits.pieceSize) {
      for (; next < end && ahead.length < piecesAhead; next += linkLimits.pieceSize) {
        const coming = piece(next, sizeAt(next));
        // Its error is thrown when its turn comes.
        coming.catch(() => undefined);
        ahead.push(coming);
      }
      const { bytes } = await (ahead.shift() as Promise<Piece>);
      yield requireWhole(bytes, number, sizeAt(position));
    }
  }
}

/** Where the file ends that is fetched. One that is written to has grown since it was listed. @throws NodeFailed */
function endOf(fileSize: number, { number, size }: GivenSegment, form: SegmentForm): number {
  const most = size * (1 + overhead.share) + overhead.bytes;
  const isPossible = form === 'raw' ? fileSize >= size : fileSize > 0 && fileSize <= most;
  if (!isPossible) throw new NodeFailed(`segment ${number} has ${fileSize} bytes, of ${size} that were listed`);
  return form === 'raw' ? size : fileSize;
}

function requireWhole(bytes: Uint8Array, number: number, size: number): Uint8Array {
  if (bytes.length === size) return bytes;
  throw new NodeFailed(`a piece of segment ${number} has ${bytes.length} bytes, not ${size}`);
}

const isGone = ({ cause }: Error): boolean => cause instanceof NotGiven && cause.why === 'gone';

/** What the node answers. @throws NodeFailed for whatever keeps it from that */
function asked<Answer>(answer: Promise<Answer>): Promise<Answer> {
  return answer.catch((error: unknown) => {
    throw new NodeFailed((error as Error).message, { cause: error });
  });
}

/** What has to be fetched of a node: where it begins, and its segments from there on. */
export interface Wanted {
  readonly start: SegmentStart;
  readonly segments: readonly GivenSegment[];
}

/**
 * What the own journal lacks of a node's: everything after the last segment that both have whole.
 * @throws NodeLacks when its journal begins later than the own one ends
 */
export async function lackingOf(
  place: FetchPlace,
  origin: Uint8Array,
  listed: readonly GivenSegment[],
): Promise<Wanted> {
  const own = begunSegments(await surveyJournal(place.files, place.journal));
  const hashes = new Map(listed.map(({ number, lastHash }) => [number, lastHash]));
  const common = own.findLast(({ number, firstSeq, lastSeq, lastHash }) => {
    const hash = hashes.get(number);
    return lastSeq >= firstSeq && hash !== undefined && bytesEqual(hash, lastHash);
  });
  const start = common === undefined ? { number: 1, firstSeq: as<Seq>(1), previousHash: origin } : startOfNext(common);
  const segments = listed.filter(({ number }) => number >= start.number);
  const [first] = segments;
  if (first !== undefined && first.number !== start.number)
    throw new NodeLacks(`its journal begins at entry ${first.firstSeq}, because retention deleted what came before`);
  return { start, segments };
}
