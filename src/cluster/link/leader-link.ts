import type { TLSSocket } from 'node:tls';
import type { ByteReader } from '#base/bytes.ts';
import { machineTimer, type Repeat, repeatedly, type SetTimer } from '#base/clock.ts';
import type { ClockOffset } from '#cluster/clock/clock-offset.ts';
import type { ClusterLimits, CountLink } from '#cluster/limits/cluster-limits.ts';
import { writeCounts } from '#cluster/limits/count-codec.ts';
import { frameKinds } from '#cluster/link/frame.ts';
import type { Hello } from '#cluster/link/hello.ts';
import { ForwardedCommands } from '#cluster/link/forwarded-commands.ts';
import { placeOf } from '#cluster/link/link-address.ts';
import { LinkBroken, LinkChannel, LinkEnded } from '#cluster/link/link-channel.ts';
import { linkLimits } from '#cluster/link/link-limits.ts';
import { connectSecurely, isWrongKey } from '#cluster/link/link-tls.ts';
import { writeSeen } from '#cluster/signatures/claim-codec.ts';
import type { SignatureLink } from '#cluster/signatures/cluster-signatures.ts';
import { ForwardedClaims } from '#cluster/signatures/forwarded-claims.ts';
import type { Command } from '#model/command.ts';
import type { SharedCount } from '#model/shared-limits.ts';
import type { Epoch, Seq } from '#model/units.ts';
import { type CommandIngress, IngressRefused, type Outcome } from '#sequencer/command-ingress.ts';
import type { ClaimVerdict, SignatureClaim, SignatureUse } from '#sequencer/signature-authority.ts';

/** The other side of the link: hands commands of this node to the one that leads. */
export interface LeaderLink extends CommandIngress, SignatureLink, CountLink {
  /** Whether the leader is connected. */
  readonly isConnected: boolean;
  /** Connects to the leader's address, such as `127.0.0.1:9000`, or to nobody. */
  follow(address: string | null): void;
  /** Ends the connection: what is on its way is lost, what comes is refused. */
  close(): Promise<void>;
}

/** What a leader link needs. */
export interface LeaderLinkOptions {
  /** 32 bytes that all nodes of the cluster have, and nobody else. */
  readonly key: Uint8Array;
  readonly own: Hello;
  /** Resolves once the own replica has applied the entry: callers read here what they wrote. */
  readonly whenApplied: (seq: Seq) => Promise<void>;
  /** Measures how far the own clock is from the leader's; absent: it is not asked. */
  readonly clock?: Pick<ClockOffset, 'begin' | 'ask' | 'answered'>;
  /** Hears what other nodes counted; absent: nobody does. */
  readonly limits?: Pick<ClusterLimits, 'heard'>;
  /** The leader of this epoch has applied everything up to here. */
  readonly onApplied: (upTo: Seq, epoch: Epoch) => void;
  readonly repeat?: Repeat;
  readonly setTimer?: SetTimer;
  /** Told once of what keeps a leader from being connected, and when a connection fails. */
  readonly onTrouble: (what: string, error: unknown) => void;
}

/** A link that is connected to nobody yet. */
export const openLeaderLink = (options: LeaderLinkOptions): LeaderLink => new FollowingLink(options);

const clockTicks = linkLimits.beatMs / linkLimits.tickMs;

class FollowingLink implements LeaderLink {
  private readonly options: LeaderLinkOptions;
  private readonly commands: ForwardedCommands;
  private readonly claims = new ForwardedClaims();
  private readonly setTimer: SetTimer;
  private readonly endTicks: () => void;
  private address: string | null = null;
  private endAttempt: () => void = () => {};
  /** The leader's connection, once it has said hello. */
  private channel: LinkChannel | null = null;
  private pauseMs: number = linkLimits.pauseMs;
  private lastTold = '';
  private ticks = 0;

  constructor(options: LeaderLinkOptions) {
    const { repeat = repeatedly, setTimer = machineTimer } = options;
    this.options = options;
    this.setTimer = setTimer;
    this.commands = new ForwardedCommands(options);
    this.endTicks = repeat(linkLimits.tickMs, () => this.tick());
  }

  get isConnected(): boolean {
    return this.channel !== null;
  }

  submit(command: Command): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      if (this.channel === null) reject(this.notConnected());
      else this.commands.submit(this.channel, command, { resolve, reject });
    });
  }

  post(command: Command): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.channel === null) reject(this.notConnected());
      else this.commands.post(this.channel, command, { resolve, reject });
    });
  }

  claim(claim: SignatureClaim): Promise<ClaimVerdict> {
    return this.channel === null ? Promise.reject(this.notConnected()) : this.claims.send(this.channel, claim);
  }

  tellSeen(uses: readonly SignatureUse[]): void {
    this.channel?.send(frameKinds.seen, 0, (writer) => writeSeen(writer, uses));
  }

  tellCounts(counts: readonly SharedCount[]): void {
    this.channel?.send(frameKinds.counted, 0, (writer) => writeCounts(writer, counts));
  }

  follow(address: string | null): void {
    if (address === this.address) return;
    this.address = address;
    this.endAttempt();
    this.pauseMs = linkLimits.pauseMs;
    this.lastTold = '';
    if (address !== null) this.connect(address);
  }

  close(): Promise<void> {
    this.endTicks();
    this.follow(null);
    return Promise.resolve();
  }

  private notConnected(): IngressRefused {
    return new IngressRefused(this.address === null ? 'no node leads now' : 'the node that leads is not connected');
  }

  /** Connects once; what ends the connection begins the next one after a pause. */
  private connect(address: string): void {
    const place = placeOf(address);
    if (place === null) {
      this.tell(`the address of the leader, ${address}`, new Error('it is no host with a port'));
      return;
    }
    const socket = connectSecurely(this.options.key, place);
    const cancelTimer = this.setTimer(linkLimits.proveMs, () => {
      if (this.channel !== channel) channel.cut(new LinkBroken('the leader did not answer in time'));
    });
    const channel: LinkChannel = this.channelOn(socket, (error) => {
      cancelTimer();
      const wasConnected = this.channel === channel;
      if (wasConnected) {
        this.channel = null;
        this.claims.lose();
      }
      this.commands.lose(channel);
      if (this.address === address) this.failed(address, error, wasConnected);
    });
    socket.once('secureConnect', () => channel.sayHello());
    this.endAttempt = () => {
      if (this.channel === channel) channel.end('this node follows another one');
      else channel.cut(new LinkBroken('this node follows another one'));
    };
  }

  private channelOn(socket: TLSSocket, onClosed: (error: Error) => void): LinkChannel {
    const channel: LinkChannel = new LinkChannel({
      socket,
      own: this.options.own,
      frameSizeMax: linkLimits.answerSize,
      onHello: () => {
        this.channel = channel;
        this.commands.begin();
        this.options.clock?.begin();
        this.askTime(channel);
        this.pauseMs = linkLimits.pauseMs;
        this.lastTold = '';
      },
      onFrame: (kind, ref, content) => this.receive(kind, ref, content),
      onClosed,
    });
    return channel;
  }

  private tick(): void {
    const { channel } = this;
    if (channel === null) return;
    channel.tick();
    this.ticks += 1;
    if (this.ticks % clockTicks === 0 && this.channel === channel) this.askTime(channel);
  }

  private askTime(channel: LinkChannel): void {
    const { clock } = this.options;
    if (clock !== undefined) channel.send(frameKinds.clock, clock.ask());
  }

  private receive(kind: number, ref: number, content: ByteReader): void {
    const { clock, limits } = this.options;
    if (kind === frameKinds.claimed) this.claims.receive(ref, content);
    else if (kind === frameKinds.clock && clock !== undefined) clock.answered(ref, readClock(content));
    else if (kind === frameKinds.counted && limits !== undefined) limits.heard(content);
    else this.commands.receive(kind, ref, content);
  }

  private failed(address: string, error: Error, wasConnected: boolean): void {
    if (wasConnected && !(error instanceof LinkEnded))
      this.options.onTrouble(`the connection to the leader at ${address}`, error);
    else if (isWrongKey(error))
      this.tell(`connecting to the leader at ${address}: its master key is not that of this node`, error);
    else if (error instanceof LinkEnded) this.tell(`connecting to the leader at ${address}, which refuses`, error);
    else this.tell(`connecting to the leader at ${address}`, error);
    this.endAttempt = this.setTimer(this.pauseMs, () => this.connect(address));
    this.pauseMs = Math.min(this.pauseMs * 2, linkLimits.pauseMsMax);
  }

  /** Tells of trouble once, until something else happens. */
  private tell(what: string, error: Error): void {
    if (what === this.lastTold) return;
    this.lastTold = what;
    this.options.onTrouble(what, error);
  }
}

function readClock(content: ByteReader): number {
  const at = content.varint();
  content.finish();
  return at;
}
