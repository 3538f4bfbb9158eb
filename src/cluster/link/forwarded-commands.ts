import { type ByteReader, type ByteWriter, MalformedBytes } from '#base/bytes.ts';
import { type FrameKind, frameKinds } from '#cluster/link/frame.ts';
import type { LinkChannel } from '#cluster/link/link-channel.ts';
import { linkLimits } from '#cluster/link/link-limits.ts';
import { readOutcome } from '#cluster/link/outcome-codec.ts';
import { encodeCommand } from '#model/command-codec.ts';
import type { Command } from '#model/command.ts';
import type { Epoch, Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { IngressLost, IngressRefused, OrderEntryStopped, type Outcome } from '#sequencer/command-ingress.ts';

/** A caller that waits for its command. */
interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}
type Forwarded = ({ readonly isPost: false } & Waiting<Outcome>) | ({ readonly isPost: true } & Waiting<void>);
type Sent = Forwarded & { readonly bytes: number };

/** What the own replica has to do with an answer. */
export interface ReplicaParts {
  readonly whenApplied: (seq: Seq) => Promise<void>;
  readonly onApplied: (upTo: Seq, epoch: Epoch) => void;
}

/** The commands of this node that the leader has, by the numbers that they have on its connection. */
export class ForwardedCommands {
  private readonly replica: ReplicaParts;
  private channel: LinkChannel | null = null;
  private sent = new Map<number, Sent>();
  private lastRef = 0;
  /** Not answered to their callers yet, those that wait for the own replica included. */
  private inFlight = 0;
  private inFlightBytes = 0;
  /** Of the leader that is connected; `null`: it has not told yet that it leads. */
  private epoch: Epoch | null = null;
  private appliedUpTo = 0;

  constructor(replica: ReplicaParts) {
    this.replica = replica;
  }

  /** A connection has begun. What is told over it is of one epoch, because a process leads in one alone. DEC-CLU-27. */
  begin(): void {
    this.epoch = null;
    this.appliedUpTo = 0;
  }

  /** Sends a command whose caller wants its events. */
  submit(channel: LinkChannel, command: Command, caller: Waiting<Outcome>): void {
    this.forward(channel, command, { isPost: false, ...caller });
  }

  /** Sends a command whose caller does not. */
  post(channel: LinkChannel, command: Command, caller: Waiting<void>): void {
    this.forward(channel, command, { isPost: true, ...caller });
  }

  /** Takes a frame of the leader. @throws MalformedBytes for what no leader sends: then no caller is answered by it. */
  receive(kind: number, ref: number, content: ByteReader): void {
    switch (kind as FrameKind) {
      case frameKinds.applied:
        this.leads(as<Epoch>(content.varint()), as<Seq>(content.varint()));
        return;
      case frameKinds.outcome: {
        this.requireEpoch();
        const outcome = readOutcome(content);
        this.finish(this.take(ref, false), outcome);
        return;
      }
      case frameKinds.done: {
        this.requireEpoch();
        const seq = as<Seq>(content.varint());
        this.finish(this.take(ref, true), { seq });
        return;
      }
      case frameKinds.refused: {
        const isStopped = content.u8() === 1;
        const why = content.text();
        this.fail(this.take(ref), isStopped ? new OrderEntryStopped(why) : new IngressRefused(why));
        return;
      }
      case frameKinds.lost: {
        const why = content.text();
        this.fail(this.take(ref), new IngressLost(why));
        return;
      }
      default:
        throw new MalformedBytes(`a frame of kind ${kind}, which no leader sends`);
    }
  }

  /** The connection has ended: nobody can say what becomes of the commands that were sent over it. */
  lose(channel: LinkChannel): void {
    if (channel !== this.channel) return;
    const { sent } = this;
    this.channel = null;
    this.sent = new Map();
    for (const command of sent.values()) this.fail(command, new IngressLost('the connection to the leader has ended'));
  }

  private forward(channel: LinkChannel, command: Command, caller: Forwarded): void {
    if (channel !== this.channel) {
      this.channel = channel;
      this.lastRef = 0;
    }
    const ref = (this.lastRef + 1) >>> 0;
    let bytes: number;
    try {
      bytes = channel.send(caller.isPost ? frameKinds.post : frameKinds.submit, ref, (writer) => {
        this.encode(writer, command);
      });
    } catch (error) {
      if (error instanceof IngressRefused) caller.reject(error);
      else if (error instanceof MalformedBytes)
        caller.reject(new IngressRefused(`the command cannot be kept: ${error.message}`));
      else throw error;
      return;
    }
    this.lastRef = ref;
    this.inFlight += 1;
    this.inFlightBytes += bytes;
    this.sent.set(ref, { ...caller, bytes });
  }

  private encode(writer: ByteWriter, command: Command): void {
    const before = writer.size;
    encodeCommand(writer, command);
    const bytes = this.inFlightBytes + writer.size - before;
    if (this.inFlight >= linkLimits.inFlight || bytes > linkLimits.inFlightBytes)
      throw new IngressRefused('too many commands wait for their turn');
  }

  private take(ref: number, isPost?: boolean): Sent {
    const command = this.sent.get(ref);
    if (command === undefined || (isPost !== undefined && command.isPost !== isPost))
      throw new MalformedBytes(`an answer to command ${ref}, which was not asked for`);
    this.sent.delete(ref);
    return command;
  }

  /** Answers the caller once the own replica has applied the entry. */
  private finish(command: Sent, answer: Outcome | { readonly seq: Seq }): void {
    if (answer.seq > this.appliedUpTo) this.opened(answer.seq, this.requireEpoch());
    this.replica.whenApplied(answer.seq).then(
      () => {
        this.settle(command);
        if (command.isPost) command.resolve();
        else command.resolve(answer as Outcome);
      },
      (error: unknown) => this.fail(command, new IngressLost(error instanceof Error ? error.message : String(error))),
    );
  }

  private fail(command: Sent, error: Error): void {
    this.settle(command);
    command.reject(error);
  }

  private settle({ bytes }: Sent): void {
    this.inFlight -= 1;
    this.inFlightBytes -= bytes;
  }

  private leads(epoch: Epoch, upTo: Seq): void {
    if (this.epoch !== null && epoch !== this.epoch)
      throw new MalformedBytes(`epoch ${epoch} over a connection of epoch ${this.epoch}`);
    const isNew = this.epoch === null;
    this.epoch = epoch;
    if (isNew || upTo > this.appliedUpTo) this.opened(upTo, epoch);
  }

  private requireEpoch(): Epoch {
    if (this.epoch === null) throw new MalformedBytes('an answer of a node that has not told its epoch');
    return this.epoch;
  }

  /** What is answered, the leader has applied. */
  private opened(upTo: Seq, epoch: Epoch): void {
    this.appliedUpTo = upTo;
    this.replica.onApplied(upTo, epoch);
  }
}
