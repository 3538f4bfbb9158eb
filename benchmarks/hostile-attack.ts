import type { Socket } from 'node:net';
import type { Signer } from './signed-requests.ts';

/** One connection of an attacker. */
export interface AttackLine {
  readonly socket: Socket;
  readonly signers: readonly Signer[];
}

/**
 * An attack: where it comes from and what each of its connections does. To add one, enter it in `attacks`; it is run,
 * measured and reported like the others.
 */
export interface Attack {
  /** What is sent, for people. */
  readonly about: string;
  /** Of the exchange, besides those that every attack has. */
  readonly flags: readonly string[];
  /** Whether the exchange has a market with its history, and traders that go on; default: empty books. */
  readonly hasMarket?: true;
  readonly port: 'public' | 'operator';
  /** Addresses of this machine, each with budgets of its own. */
  readonly addresses: number;
  readonly connectionsPerAddress: number;
  /** How long a connection that was closed waits before it comes back. */
  readonly backAfterMs: number;
  /** Drives a connection from the moment it is open; whoever is hung up on comes back and is driven anew. */
  readonly drive: (line: AttackLine) => void;
}

/** Does the same at once and then again and again until the connection is closed. */
export function atPace({ socket }: AttackLine, everyMs: number, act: () => void): void {
  const pace = setInterval(act, everyMs);
  socket.once('close', () => clearInterval(pace));
  act();
}
