import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { type Clock, machineTimer, type Repeat, repeatedly, type SetTimer, wallClock } from '#base/clock.ts';
import { type ByteReader, MalformedBytes } from '#base/bytes.ts';
import { cutSocket } from '#base/cut-socket.ts';
import type { ClusterLimits, CountingNode } from '#cluster/limits/cluster-limits.ts';
import { frameKinds } from '#cluster/link/frame.ts';
import { asksForFiles, FileGiver, GivenFiles } from '#cluster/link/given-files.ts';
import type { Hello } from '#cluster/link/hello.ts';
import { LinkChannel, LinkEnded } from '#cluster/link/link-channel.ts';
import { linkLimits } from '#cluster/link/link-limits.ts';
import { createSecureServer, isWrongKey } from '#cluster/link/link-tls.ts';
import { GrantedClaims, isAboutSignatures } from '#cluster/signatures/granted-claims.ts';
import type { SeenSignatures } from '#cluster/signatures/seen-signatures.ts';
import { SubmittedCommands } from '#cluster/link/submitted-commands.ts';
import type { GivenSegments } from '#journal/given-segments.ts';
import type { Epoch, Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { CommandIngress } from '#sequencer/command-ingress.ts';

/** The side of the link that every node has: it listens, and while the node leads it takes commands of the others. */
export interface LinkServer {
  readonly port: number;
  readonly counts: LinkCounts;
  /** From now on this node leads, or it does not, as at first: then commands of others are refused. */
  lead(led: LedHere | null): void;
  /** Tells connected nodes that the leader has applied everything up to here, once a turn of the event loop. */
  applied(upTo: Seq): void;
  /** From now on other nodes are given these files. */
  give(segments: GivenSegments): void;
  /** Listens no more, and ends each connection once what was answered is written. */
  close(): Promise<void>;
}

/** What a node that leads does for the others. */
export interface LedHere {
  readonly epoch: Epoch;
  /** Where commands go. */
  readonly ingress: CommandIngress;
  /** Decides over signatures; absent: nobody does. */
  readonly signatures?: SeenSignatures;
}

/** What a link server has seen since it was opened. */
export interface LinkCounts {
  /** Nodes that are connected now. */
  readonly connected: number;
  /** Connections whose other side has another key. */
  readonly wrongKey: number;
  /** Connections that ended, those included, before a node had shown the key and said hello. */
  readonly unproven: number;
  /** Nodes that are given files now. */
  readonly fetching: number;
}

/** What a link server needs. */
export interface LinkServerOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** 32 bytes that all nodes of the cluster have, and nobody else. */
  readonly key: Uint8Array;
  readonly own: Hello;
  /** What other nodes are told when they ask for the time; that of the machine by default. */
  readonly wall?: Clock;
  /** Takes what other nodes counted; absent: that is not asked for. */
  readonly limits?: Pick<ClusterLimits, 'enter'>;
  readonly repeat?: Repeat;
  readonly setTimer?: SetTimer;
  /** Told once of each kind of trouble, and when the connection of a node that was connected fails. */
  readonly onTrouble: (what: string, error: unknown) => void;
}

/** Listens for other nodes. @throws what listening throws, such as EADDRINUSE */
export async function openLinkServer(options: LinkServerOptions): Promise<LinkServer> {
  const server = new ListeningLink(options);
  await server.listen();
  return server;
}

class ListeningLink implements LinkServer {
  private readonly options: LinkServerOptions;
  private readonly secure;
  private readonly server;
  /** Sockets of connections, by the address of the other side; oldest first. */
  private readonly unproven = new Map<string, Socket>();
  private readonly open = new Set<Socket>();
  private readonly channels = new Set<LinkChannel>();
  private readonly told = new Set<string>();
  private readonly endTicks: () => void;
  private readonly giver: FileGiver;
  private given: GivenSegments | null = null;
  private led: LedHere | null = null;
  private appliedUpTo: Seq = as<Seq>(0);
  private isTelling = false;
  private readonly tally = { wrongKey: 0, unproven: 0 };

  constructor(options: LinkServerOptions) {
    const { key, repeat = repeatedly, setTimer = machineTimer } = options;
    this.options = options;
    this.giver = new FileGiver({
      ...{ given: () => this.given, isLeading: () => this.led !== null, setTimer },
      onTrouble: (what, error) => this.tell(what, error),
    });
    this.secure = createSecureServer(key);
    this.secure.on('secureConnection', (socket) => this.secured(socket));
    this.secure.on('tlsClientError', (error) => this.failed(error));
    this.server = createServer((socket) => this.admit(socket));
    this.endTicks = repeat(linkLimits.tickMs, () => {
      for (const channel of this.channels) channel.tick();
      this.giver.tick();
    });
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get counts(): LinkCounts {
    return { connected: this.channels.size, fetching: this.giver.count, ...this.tally };
  }

  async listen(): Promise<void> {
    const { host, port } = this.options;
    try {
      await new Promise<void>((resolve, reject) => {
        this.server.once('error', reject);
        this.server.listen({ host, port }, () => resolve());
      });
    } catch (error) {
      this.endTicks();
      throw error;
    }
    this.server.removeAllListeners('error');
    this.server.on('error', (error) => this.tell('accepting connections of other nodes', error));
  }

  lead(led: LedHere | null): void {
    this.led = led;
    // Before anything is answered.
    for (const channel of this.channels) this.tellApplied(channel);
  }

  give(segments: GivenSegments): void {
    this.given = segments;
  }

  applied(upTo: Seq): void {
    if (upTo <= this.appliedUpTo) return;
    this.appliedUpTo = upTo;
    if (this.isTelling) return;
    this.isTelling = true;
    setImmediate(() => {
      this.isTelling = false;
      for (const channel of this.channels) this.tellApplied(channel);
    });
  }

  async close(): Promise<void> {
    this.led = null;
    this.endTicks();
    const closed = new Promise<void>((resolve) => void this.server.close(() => resolve()));
    for (const channel of this.channels) channel.end('the node stops');
    for (const socket of this.unproven.values()) socket.destroy();
    const { setTimer = machineTimer } = this.options;
    const cancel = setTimer(linkLimits.endMs, () => {
      for (const socket of this.open) cutSocket(socket);
    });
    await closed;
    cancel();
  }

  /** Gives a new connection to TLS; it has to prove itself soon. */
  private admit(socket: Socket): void {
    const { setTimer = machineTimer } = this.options;
    const from = addressOf(socket);
    this.open.add(socket);
    this.unproven.set(from, socket);
    const cancel = setTimer(linkLimits.proveMs, () => {
      if (this.unproven.get(from) === socket) cutSocket(socket);
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      cancel();
      this.open.delete(socket);
      if (this.unproven.get(from) === socket) {
        this.unproven.delete(from);
        this.tally.unproven += 1;
      }
    });
    if (this.unproven.size > linkLimits.unproven) {
      // A node needs milliseconds: the oldest one is none, most likely.
      const [oldest] = this.unproven.values();
      cutSocket(oldest!);
    }
    this.secure.emit('connection', socket);
  }

  private failed(error: Error): void {
    if (!isWrongKey(error)) return;
    this.tally.wrongKey += 1;
    this.tell('a connection of another node: its master key is not that of this node', error);
  }

  private secured(socket: TLSSocket): void {
    const from = addressOf(socket);
    let name = from;
    const send: LinkChannel['send'] = (kind, ref, content) => channel.send(kind, ref, content);
    const commands = new SubmittedCommands(() => this.led?.ingress ?? null, send);
    const files = new GivenFiles(this.giver, send);
    const claims = new GrantedClaims(() => this.led?.signatures ?? null, send);
    let counting: CountingNode | undefined;
    const channel: LinkChannel = new LinkChannel({
      socket,
      own: this.options.own,
      frameSizeMax: linkLimits.commandSize,
      onHello: ({ node }) => {
        name = `${node} at ${from}`;
        channel.sayHello();
        if (this.channels.size >= linkLimits.connections) {
          channel.end('too many nodes are connected');
          return;
        }
        this.unproven.delete(from);
        this.channels.add(channel);
        this.tellApplied(channel);
        counting = this.options.limits?.enter(send);
      },
      onFrame: (kind, ref, content) => {
        if (kind === frameKinds.clock) this.tellTime(channel, ref, content);
        else if (isAboutSignatures(kind)) claims.receive(kind, ref, content);
        else if (kind === frameKinds.counted && counting !== undefined) counting.receive(content);
        else (asksForFiles(kind) ? files : commands).receive(kind, ref, content);
      },
      onClosed: (error) => {
        commands.drop();
        files.drop();
        counting?.leave();
        const isExpected = error instanceof LinkEnded;
        if (this.channels.delete(channel)) {
          if (!isExpected) this.options.onTrouble(`the connection of node ${name}`, error);
        } else if (isExpected || error instanceof MalformedBytes) this.tell('a node that connects', error);
      },
    });
  }

  private tellTime(channel: LinkChannel, ref: number, question: ByteReader): void {
    question.finish();
    const { wall = wallClock } = this.options;
    channel.send(frameKinds.clock, ref, (writer) => writer.varint(wall.now()));
  }

  private tellApplied(channel: LinkChannel): void {
    if (this.led === null) return;
    const { epoch } = this.led;
    channel.send(frameKinds.applied, 0, (writer) => {
      writer.varint(epoch);
      writer.varint(this.appliedUpTo);
    });
  }

  /** Tells of a kind of trouble once: whoever reaches the port could fill the log otherwise. */
  private tell(what: string, error: unknown): void {
    if (this.told.has(what)) return;
    this.told.add(what);
    this.options.onTrouble(what, error);
  }
}

const addressOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress ?? 'nowhere'} ${remotePort ?? 0}`;
