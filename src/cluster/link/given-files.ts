import { type ByteReader, type ByteWriter, MalformedBytes } from '#base/bytes.ts';
import type { SetTimer } from '#base/clock.ts';
import {
  type PieceAsked,
  readListAsked,
  readPieceAsked,
  type Refusal,
  writeListed,
  writePiece,
  writeRefusal,
} from '#cluster/link/file-frames.ts';
import { type FrameKind, frameKinds } from '#cluster/link/frame.ts';
import { linkLimits } from '#cluster/link/link-limits.ts';
import type { GivenFile, GivenSegments, SegmentForm } from '#journal/given-segments.ts';

/** Whether a frame asks for files. */
export const asksForFiles = (kind: number): boolean => kind === frameKinds.askSegments || kind === frameKinds.askPiece;

/** What all connections of one server share to give files. */
export interface GiverParts {
  /** The files; `null`: there are none to give yet. */
  readonly given: () => GivenSegments | null;
  /** Whether this node leads: then it rests between pieces, for the sake of its commands. */
  readonly isLeading: () => boolean;
  readonly setTimer: SetTimer;
  readonly onTrouble: (what: string, error: unknown) => void;
}

/** Gives files to a bounded number of connections at a time. */
export class FileGiver {
  readonly parts: GiverParts;
  private readonly fetching = new Set<GivenFiles>();

  constructor(parts: GiverParts) {
    this.parts = parts;
  }

  /** Connections that are given files now. */
  get count(): number {
    return this.fetching.size;
  }

  /** Whether this connection may be given files now. */
  enter(connection: GivenFiles): boolean {
    if (this.fetching.has(connection)) return true;
    if (this.fetching.size >= linkLimits.fetching) return false;
    this.fetching.add(connection);
    return true;
  }

  /** Makes place for another connection. */
  leave(connection: GivenFiles): void {
    this.fetching.delete(connection);
  }

  /** Called every `tickMs`: who asks for nothing makes place. */
  tick(): void {
    for (const connection of this.fetching) connection.tick();
  }
}

type Send = (kind: FrameKind, ref: number, content?: (writer: ByteWriter) => void) => number;
interface Asked {
  readonly ref: number;
  /** A piece, or from which segment on the list is wanted. */
  readonly what: PieceAsked | number;
}

const idleTicks = linkLimits.idleFetchMs / linkLimits.tickMs;

/**
 * Files for one connected node: it asks for piece after piece, so nothing comes faster than it takes it. One file is
 * open at a time, and stays whole while it is fetched, even if it is deleted meanwhile. DEC-CLU-14.
 */
export class GivenFiles {
  private readonly giver: FileGiver;
  private readonly send: Send;
  private asked: Asked[] = [];
  private isAnswering = false;
  private isDropped = false;
  private idleFor = 0;
  private open: { readonly number: number; readonly form: SegmentForm; readonly file: GivenFile } | null = null;

  constructor(giver: FileGiver, send: Send) {
    this.giver = giver;
    this.send = send;
  }

  /** Takes a frame that asks for files. @throws MalformedBytes for what no node asks */
  receive(kind: number, ref: number, content: ByteReader): void {
    const what = kind === frameKinds.askSegments ? readListAsked(content) : readPieceAsked(content);
    if (this.asked.length >= linkLimits.asked)
      throw new MalformedBytes('more questions at a time than a node may have');
    this.idleFor = 0;
    this.asked.push({ ref, what });
    if (!this.isAnswering) void this.answerAll();
  }

  /** The node is gone. */
  drop(): void {
    this.isDropped = true;
    this.asked = [];
    if (!this.isAnswering) void this.end();
  }

  /** See `FileGiver.tick`. */
  tick(): void {
    if (this.isAnswering) return;
    this.idleFor += 1;
    if (this.idleFor > idleTicks) void this.end();
  }

  private async answerAll(): Promise<void> {
    this.isAnswering = true;
    for (let [next] = this.asked; next !== undefined; [next] = this.asked) {
      await this.answer(next);
      this.asked.shift();
    }
    this.isAnswering = false;
    if (this.isDropped) await this.end();
  }

  private async answer({ ref, what }: Asked): Promise<void> {
    const { given, onTrouble } = this.giver.parts;
    const segments = given();
    try {
      if (segments === null || !this.giver.enter(this)) this.refuse(ref, 'busy');
      else if (typeof what === 'number') await this.answerList(segments, ref, what);
      else await this.answerPiece(segments, ref, what);
    } catch (error) {
      onTrouble('giving files to another node', error);
      this.refuse(ref, 'fault');
    }
  }

  private async answerList(segments: GivenSegments, ref: number, from: number): Promise<void> {
    // The last segment may be longer by now.
    await this.closeFile();
    const wanted = segments.list().filter(({ number }) => number >= from);
    const listed = wanted.slice(0, linkLimits.listed);
    this.reply(frameKinds.segments, ref, (writer) => {
      writeListed(writer, { segments: listed, hasMore: listed.length < wanted.length });
    });
  }

  private async answerPiece(segments: GivenSegments, ref: number, asked: PieceAsked): Promise<void> {
    const file = await this.fileOf(segments, asked);
    if (file === null) {
      this.refuse(ref, 'gone');
      return;
    }
    const bytes = new Uint8Array(Math.max(0, Math.min(asked.size, file.size - asked.position)));
    const count = bytes.length === 0 ? 0 : await file.read(bytes, asked.position);
    this.reply(frameKinds.piece, ref, (writer) => {
      writePiece(writer, { fileSize: file.size, bytes: bytes.subarray(0, count) });
    });
    if (this.giver.parts.isLeading()) await this.rest();
  }

  private async fileOf(segments: GivenSegments, { number, form }: PieceAsked): Promise<GivenFile | null> {
    if (this.open?.number === number && this.open.form === form) return this.open.file;
    await this.closeFile();
    const file = await segments.open(number, form);
    if (file !== null) this.open = { number, form, file };
    return file;
  }

  private refuse(ref: number, why: Refusal): void {
    this.reply(frameKinds.notGiven, ref, (writer) => writeRefusal(writer, why));
  }

  private reply(kind: FrameKind, ref: number, content: (writer: ByteWriter) => void): void {
    if (!this.isDropped) this.send(kind, ref, content);
  }

  private rest(): Promise<void> {
    return new Promise((resolve) => {
      this.giver.parts.setTimer(linkLimits.leaderRestMs, resolve);
    });
  }

  private async closeFile(): Promise<void> {
    const { open } = this;
    this.open = null;
    await open?.file.close().catch((error: unknown) => this.giver.parts.onTrouble('closing a file', error));
  }

  private async end(): Promise<void> {
    this.giver.leave(this);
    await this.closeFile();
  }
}
