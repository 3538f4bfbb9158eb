import { type ByteReader, type ByteWriter, MalformedBytes } from '#base/bytes.ts';
import { machineTimer, type Repeat, repeatedly, type SetTimer } from '#base/clock.ts';
import {
  type Piece,
  type PieceAsked,
  readListed,
  readPiece,
  readRefusal,
  type SegmentsListed,
  writeListAsked,
  writePieceAsked,
} from '#cluster/link/file-frames.ts';
import { type FrameKind, frameKinds } from '#cluster/link/frame.ts';
import type { Hello } from '#cluster/link/hello.ts';
import { placeOf } from '#cluster/link/link-address.ts';
import { LinkBroken, LinkChannel } from '#cluster/link/link-channel.ts';
import { linkLimits } from '#cluster/link/link-limits.ts';
import { connectSecurely, isWrongKey } from '#cluster/link/link-tls.ts';

/** A connection to another node, from which files are fetched. */
export interface FetchingLink {
  /** Its segments from a number on, or the first of them. @throws NotGiven, LinkBroken, MalformedBytes */
  list(from: number): Promise<SegmentsListed>;
  /** Several may be asked for at a time, at most `linkLimits.asked`. @throws as `list` */
  piece(asked: PieceAsked): Promise<Piece>;
  /** Ends the connection: what is asked is not answered. */
  close(): void;
}

/** Which node to connect to, and as whom. */
export interface FetchingLinkOptions {
  /** 32 bytes that all nodes of the cluster have. */
  readonly key: Uint8Array;
  readonly own: Hello;
  /** Such as `10.0.0.1:9000`. */
  readonly address: string;
  readonly repeat?: Repeat;
  readonly setTimer?: SetTimer;
}

/** Connects to a node. @throws LinkBroken, and what connecting throws */
export async function openFetchingLink(options: FetchingLinkOptions): Promise<FetchingLink> {
  const link = new AskingLink(options);
  await link.connected;
  return link;
}

interface Question {
  /** Reads the answer of the kind that it wants, and answers with it. */
  readonly take: (kind: number, content: ByteReader) => void;
  readonly reject: (error: Error) => void;
  readonly endTimer: () => void;
}

class AskingLink implements FetchingLink {
  /** Resolves once the other node has said hello. */
  readonly connected: Promise<void>;
  private readonly setTimer: SetTimer;
  private readonly channel: LinkChannel;
  private readonly questions = new Map<number, Question>();
  private lastRef = 0;
  private ended: Error | null = null;

  constructor({ key, own, address, repeat = repeatedly, setTimer = machineTimer }: FetchingLinkOptions) {
    this.setTimer = setTimer;
    const place = placeOf(address);
    if (place === null) throw new LinkBroken(`its address ${address} is no host with a port`);
    const socket = connectSecurely(key, place);
    let opened: () => void = () => {};
    let failed: (error: Error) => void = () => {};
    this.connected = new Promise((resolve, reject) => {
      [opened, failed] = [resolve, reject];
    });
    const endProof = setTimer(linkLimits.proveMs, () => this.channel.cut(new LinkBroken('it did not answer in time')));
    let endTicks: () => void = () => {};
    this.channel = new LinkChannel({
      ...{ socket, own, frameSizeMax: linkLimits.answerSize },
      onHello: () => {
        endProof();
        endTicks = repeat(linkLimits.tickMs, () => this.channel.tick());
        opened();
      },
      onFrame: (kind, ref, content) => this.receive(kind, ref, content),
      onClosed: (error) => {
        endProof();
        endTicks();
        const why = isWrongKey(error) ? new LinkBroken('its master key is not that of this node') : error;
        this.end(why);
        failed(why);
      },
    });
    socket.once('secureConnect', () => this.channel.sayHello());
  }

  list(from: number): Promise<SegmentsListed> {
    return this.ask(frameKinds.askSegments, (writer) => writeListAsked(writer, from), {
      ...{ kind: frameKinds.segments, read: readListed },
    });
  }

  piece(asked: PieceAsked): Promise<Piece> {
    return this.ask(frameKinds.askPiece, (writer) => writePieceAsked(writer, asked), {
      ...{ kind: frameKinds.piece, read: readPiece },
    });
  }

  close(): void {
    this.channel.end('everything is fetched');
  }

  private ask<Answer>(
    kind: FrameKind,
    question: (writer: ByteWriter) => void,
    wanted: { readonly kind: FrameKind; readonly read: (content: ByteReader) => Answer },
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.ended !== null) {
        reject(this.ended);
        return;
      }
      this.lastRef = (this.lastRef + 1) >>> 0;
      const late = new LinkBroken(`it did not answer within ${linkLimits.askMs} ms`);
      this.questions.set(this.lastRef, {
        take: (got, content) => {
          if (got !== wanted.kind) throw new MalformedBytes(`an answer of kind ${got}, which was not asked for`);
          resolve(wanted.read(content));
        },
        reject,
        endTimer: this.setTimer(linkLimits.askMs, () => this.channel.cut(late)),
      });
      this.channel.send(kind, this.lastRef, question);
    });
  }

  private receive(kind: number, ref: number, content: ByteReader): void {
    // Told to every node that is connected.
    if (kind === frameKinds.applied || kind === frameKinds.counted) return;
    const question = this.questions.get(ref);
    if (question === undefined) throw new MalformedBytes(`an answer to question ${ref}, which was not asked`);
    if (kind === frameKinds.notGiven) question.reject(readRefusal(content));
    else question.take(kind, content);
    this.questions.delete(ref);
    question.endTimer();
  }

  private end(error: Error): void {
    this.ended = error;
    for (const { reject, endTimer } of this.questions.values()) {
      endTimer();
      reject(error);
    }
    this.questions.clear();
  }
}
