import type { TLSSocket } from 'node:tls';
import { type ByteReader, ByteWriter, MalformedBytes } from '#base/bytes.ts';
import { FrameReader, type FrameKind, frameKinds, writeFrame } from '#cluster/link/frame.ts';
import { type Hello, OtherLinkVersion, readHello, writeHello } from '#cluster/link/hello.ts';
import { linkLimits } from '#cluster/link/link-limits.ts';

/** What one side does with a connection. */
export interface ChannelParts {
  readonly socket: TLSSocket;
  readonly own: Hello;
  /** Greatest size of a frame of the other side, once it has said hello. */
  readonly frameSizeMax: number;
  /** The other side has said hello. */
  readonly onHello: (hello: Hello) => void;
  /** A frame of the other side, after its hello. @throws MalformedBytes for what no node sends: it is disconnected. */
  readonly onFrame: (kind: number, ref: number, content: ByteReader) => void;
  /** Called once, whatever ends the connection. */
  readonly onClosed: (error: Error) => void;
}

/** One side has said why it ends the connection. */
export class LinkEnded extends Error {
  override name = 'LinkEnded';
}
/** The connection ended without a word, or the other side was silent for too long. */
export class LinkBroken extends Error {
  override name = 'LinkBroken';
}

const beatTicks = linkLimits.beatMs / linkLimits.tickMs;
const silentTicks = linkLimits.silentMs / linkLimits.tickMs;

/**
 * One secured connection between two nodes, from either side. What is sent in one turn of the event loop goes out in
 * one write at its end. Silence is counted in ticks, not by a clock: a node that was stopped for a while finds what
 * came meanwhile before it judges the other side.
 */
export class LinkChannel {
  private readonly parts: ChannelParts;
  private readonly reader: FrameReader;
  private readonly writer = new ByteWriter();
  private isScheduled = false;
  private isOpen = true;
  private isIntroduced = false;
  private ticks = 0;
  private silentFor = 0;

  constructor(parts: ChannelParts) {
    this.parts = parts;
    const { socket } = parts;
    this.reader = new FrameReader(linkLimits.helloSize, (kind, ref, content) => {
      if (this.isOpen) this.receive(kind, ref, content);
    });
    socket.setNoDelay(true);
    socket.on('data', (bytes: Buffer) => this.take(bytes));
    socket.on('error', (error) => this.closed(error));
    socket.on('close', () => this.closed(new LinkBroken('the connection has ended')));
  }

  /** Introduces this node. */
  sayHello(): void {
    this.send(frameKinds.hello, 0, (writer) => writeHello(writer, this.parts.own));
  }

  /** Sends a frame with all others of this turn. Answers the size of its content. @throws what `content` throws */
  send(kind: FrameKind, ref: number, content?: (writer: ByteWriter) => void): number {
    const size = writeFrame(this.writer, kind, ref, content);
    if (this.isScheduled) return size;
    this.isScheduled = true;
    setImmediate(() => this.flush());
    return size;
  }

  /** Looks whether the other side is alive, every `tickMs`, and tells it that this one is. */
  tick(): void {
    if (!this.isOpen) return;
    this.silentFor += 1;
    if (this.silentFor > silentTicks) {
      this.cut(new LinkBroken(`the other node was silent for ${linkLimits.silentMs} ms`));
      return;
    }
    this.ticks += 1;
    if (this.ticks % beatTicks === 0) this.send(frameKinds.beat, 0);
  }

  /** Ends the connection once what was sent is written; says why. */
  end(why: string): void {
    if (!this.isOpen) return;
    this.send(frameKinds.goodbye, 0, (writer) => writer.text(why));
    this.flush();
    this.parts.socket.setTimeout(linkLimits.endMs, () => this.parts.socket.destroy());
    this.parts.socket.end();
    this.closed(new LinkEnded(why));
  }

  /** Ends the connection at once. */
  cut(error: Error): void {
    this.parts.socket.destroy();
    this.closed(error);
  }

  private flush(): void {
    this.isScheduled = false;
    const { socket } = this.parts;
    if (this.isOpen && this.writer.size > 0) {
      socket.write(Buffer.from(this.writer.written()));
      if (socket.writableLength > linkLimits.unreadBytes)
        this.cut(new LinkBroken('the other node does not read what it is told'));
    }
    this.writer.reset();
  }

  private take(bytes: Buffer): void {
    this.silentFor = 0;
    if (!this.isOpen) return;
    try {
      this.reader.take(bytes);
    } catch (error) {
      if (error instanceof OtherLinkVersion) this.end(error.message);
      else if (error instanceof MalformedBytes) this.cut(error);
      else throw error;
    }
  }

  private receive(kind: number, ref: number, content: ByteReader): void {
    if (kind === frameKinds.goodbye) {
      this.cut(new LinkEnded(content.text(linkLimits.helloSize)));
    } else if (this.isIntroduced) {
      if (kind !== frameKinds.beat) this.parts.onFrame(kind, ref, content);
    } else {
      if (kind !== frameKinds.hello) throw new MalformedBytes('the first frame is no hello');
      const hello = readHello(content);
      this.isIntroduced = true;
      this.reader.sizeMax = this.parts.frameSizeMax;
      this.parts.onHello(hello);
    }
  }

  private closed(error: Error): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.parts.onClosed(error);
  }
}
