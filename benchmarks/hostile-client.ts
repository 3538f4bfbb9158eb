import { connect } from 'node:net';
import { attacks } from './hostile-attacks.ts';
import type { Signer } from './signed-requests.ts';

/** What the attacker is asked to do; it runs in a process of its own. */
export interface HostileTask {
  readonly attack: string;
  readonly port: number;
  /** Addresses of this machine that it comes from. */
  readonly from: readonly string[];
  readonly signers: readonly Signer[];
  readonly durationMs: number;
}

/** First answers of the connections by status; `silent`: connections that ended without one. */
export interface HostileResult {
  readonly connections: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly silent: number;
}

const task = await new Promise<HostileTask>((resolve) =>
  process.once('message', (message) => resolve(message as HostileTask)),
);
const { connectionsPerAddress, backAfterMs, drive } = attacks[task.attack]!;
const statuses: Record<string, number> = {};
let connections = 0;
let silent = 0;
let isOver = false;

/** Connects, lets the attack drive the connection, and comes back when it was closed. */
function attackFrom(address: string): void {
  const socket = connect({ port: task.port, host: '127.0.0.1', localAddress: address, noDelay: true });
  let isHeard = false;
  connections += 1;
  socket.on('error', () => {});
  socket.once('connect', () => {
    if (!isOver) drive({ socket, signers: task.signers });
  });
  socket.on('data', (chunk: Buffer) => {
    if (isHeard) return;
    isHeard = true;
    const status = chunk.toString('latin1', 9, 12);
    statuses[status] = (statuses[status] ?? 0) + 1;
  });
  socket.on('close', () => {
    if (!isHeard && !isOver) silent += 1;
    if (!isOver) setTimeout(() => isOver || attackFrom(address), backAfterMs);
  });
}

for (const address of task.from) {
  for (let count = 0; count < connectionsPerAddress; count += 1) attackFrom(address);
}
await new Promise((resolve) => setTimeout(resolve, task.durationMs));
isOver = true;
process.send?.({ connections, statuses, silent } satisfies HostileResult);
process.disconnect?.();
// Connections without end would keep the process.
process.exit();
