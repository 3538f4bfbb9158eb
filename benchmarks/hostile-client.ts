import { connect, type Socket } from 'node:net';

/** What the attacker is asked to do; it runs in a process of its own. */
export interface HostileTask {
  readonly port: number;
  /** Addresses of this machine that it comes from, each with its own budgets. */
  readonly from: readonly string[];
  readonly request: string;
  /** Requests per second of each address. */
  readonly rate: number;
  readonly connectionsPerAddress: number;
  readonly durationMs: number;
}

/** Answers by status; `hungUp`: connections that ended without one. */
export interface HostileResult {
  readonly sent: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly hungUp: number;
}

interface Line {
  readonly address: string;
  socket: Socket | null;
  isBusy: boolean;
  heard: string;
}

const task = await new Promise<HostileTask>((resolve) =>
  process.once('message', (message) => resolve(message as HostileTask)),
);
const statuses: Record<string, number> = {};
let sent = 0;
let hungUp = 0;
let isOver = false;

/** One request at a time on each connection; who is hung up on comes back. */
function ask(line: Line): void {
  line.isBusy = true;
  line.heard = '';
  sent += 1;
  const socket = line.socket ?? open(line);
  socket.write(task.request, 'latin1');
}

function open(line: Line): Socket {
  const socket = connect({ port: task.port, host: '127.0.0.1', localAddress: line.address });
  line.socket = socket;
  socket.setNoDelay(true);
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    const isFirst = line.heard === '';
    line.heard += chunk.toString('latin1');
    if (!isFirst) return;
    const status = line.heard.slice(9, 12);
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (!/connection: close/i.test(line.heard)) line.isBusy = false;
  });
  socket.on('close', () => {
    if (line.socket === socket) line.socket = null;
    if (line.heard === '' && !isOver) hungUp += 1;
    line.isBusy = false;
  });
  return socket;
}

const lines: Line[] = task.from.flatMap((address) =>
  Array.from({ length: task.connectionsPerAddress }, () => ({ address, socket: null, isBusy: false, heard: '' })),
);
const began = performance.now();
const asked = new Map(task.from.map((address) => [address, 0]));
const pace = setInterval(() => {
  const due = Math.floor(((performance.now() - began) / 1000) * task.rate);
  for (const line of lines) {
    const before = asked.get(line.address)!;
    if (line.isBusy || before >= due) continue;
    asked.set(line.address, before + 1);
    ask(line);
  }
}, 1);
await new Promise((resolve) => setTimeout(resolve, task.durationMs));
clearInterval(pace);
isOver = true;
for (const { socket } of lines) socket?.destroy();
process.send?.({ sent, statuses, hungUp } satisfies HostileResult);
process.disconnect?.();
