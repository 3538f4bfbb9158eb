import { type ByteReader, type ByteWriter, MalformedBytes } from '#base/bytes.ts';
import { frameHead, type FrameKind, frameKinds } from '#cluster/link/frame.ts';
import { linkLimits } from '#cluster/link/link-limits.ts';
import { writeOutcome } from '#cluster/link/outcome-codec.ts';
import { decodeCommand } from '#model/command-codec.ts';
import type { Command } from '#model/command.ts';
import { type CommandIngress, IngressRefused, OrderEntryStopped, type Outcome } from '#sequencer/command-ingress.ts';

type Send = (kind: FrameKind, ref: number, content?: (writer: ByteWriter) => void) => number;

/** The commands of one connected node, on the side of the leader: each is answered once, if the node is there. */
export class SubmittedCommands {
  private readonly ingress: () => CommandIngress | null;
  private readonly send: Send;
  /** Number that the next command must have: one that was sent again would be done twice. */
  private nextRef = 1;
  private inFlight = 0;
  private inFlightBytes = 0;
  private isDropped = false;

  constructor(ingress: () => CommandIngress | null, send: Send) {
    this.ingress = ingress;
    this.send = send;
  }

  /** Answers nothing more: the node is gone. What it has submitted goes on. */
  drop(): void {
    this.isDropped = true;
  }

  /** Takes a frame. @throws MalformedBytes for what no node sends */
  receive(kind: number, ref: number, content: ByteReader): void {
    if (kind !== frameKinds.submit && kind !== frameKinds.post)
      throw new MalformedBytes(`a frame of kind ${kind}, which no node sends to the leader`);
    if (ref !== this.nextRef) throw new MalformedBytes(`command ${ref} instead of ${this.nextRef}`);
    this.nextRef = (ref + 1) >>> 0;
    const bytes = content.left;
    if (this.inFlight >= linkLimits.inFlight || this.inFlightBytes + bytes > linkLimits.inFlightBytes)
      throw new MalformedBytes('more commands at a time than a node may have');
    const ingress = this.ingress();
    if (ingress === null) this.refuse(ref, new IngressRefused('the node does not lead'));
    else this.submit(ingress, { ref, wantsEvents: kind === frameKinds.submit, content, bytes });
  }

  private submit(
    ingress: CommandIngress,
    { ref, wantsEvents, content, bytes }: { ref: number; wantsEvents: boolean; content: ByteReader; bytes: number },
  ): void {
    let command: Command;
    try {
      command = decodeCommand(content);
      content.finish();
    } catch (error) {
      if (!(error instanceof MalformedBytes)) throw error;
      // A newer build may know commands that this one does not.
      this.refuse(ref, new IngressRefused(`the leader does not know this command: ${error.message}`));
      return;
    }
    this.inFlight += 1;
    this.inFlightBytes += bytes;
    // Posts are submitted too: their answer names the position that the other node has to wait for.
    ingress.submit(command).then(
      (outcome) => {
        this.settle(bytes);
        if (!this.isDropped) this.answer(ref, wantsEvents, outcome);
      },
      (error: unknown) => {
        this.settle(bytes);
        if (!this.isDropped) this.fail(ref, error);
      },
    );
  }

  private settle(bytes: number): void {
    this.inFlight -= 1;
    this.inFlightBytes -= bytes;
  }

  private answer(ref: number, wantsEvents: boolean, outcome: Outcome): void {
    if (!wantsEvents) {
      this.send(frameKinds.done, ref, (writer) => writer.varint(outcome.seq));
      return;
    }
    try {
      this.send(frameKinds.outcome, ref, (writer) => {
        const { size } = writer;
        writeOutcome(writer, outcome);
        if (writer.size - size > linkLimits.answerSize - frameHead)
          throw new MalformedBytes('its outcome is too large');
      });
    } catch (error) {
      this.fail(ref, error);
    }
  }

  private fail(ref: number, error: unknown): void {
    if (error instanceof IngressRefused) this.refuse(ref, error);
    else this.send(frameKinds.lost, ref, (writer) => writer.text(textOf(error)));
  }

  private refuse(ref: number, error: IngressRefused): void {
    this.send(frameKinds.refused, ref, (writer) => {
      writer.u8(error instanceof OrderEntryStopped ? 1 : 0);
      writer.text(error.message);
    });
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
