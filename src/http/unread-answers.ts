import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '#base/clock.ts';
import { cutSocket } from '#base/cut-socket.ts';
import { wireLimits } from '#api/limits.ts';

/** How far a peer had read when it was last looked at, and since when that has not changed. */
interface Progress {
  /** Bytes handed to the kernel. */
  taken: number;
  since: number;
}

const { unreadTimeoutMs, unreadCheckMs } = wireLimits.connection;

/**
 * Cuts connections whose peers take nothing of what waits for them for a minute, by a reset, so that the kernel drops
 * what it still holds. What was written at once counts when it is taken whole. All are looked at once a second: timers
 * of their own would cost every request.
 */
export function cutUnreadAnswers(server: Server, monotonic: Clock): void {
  const connections = new Map<Socket, Progress>();
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { taken: 0, since: 0 });
    socket.once('close', () => connections.delete(socket));
  });
  const timer = setInterval(() => {
    const now = monotonic.now();
    for (const [socket, progress] of connections) {
      const waiting = socket.writableLength;
      const taken = socket.bytesWritten - waiting;
      if (waiting === 0 || taken !== progress.taken) Object.assign(progress, { taken, since: now });
      else if (now - progress.since >= unreadTimeoutMs) cutSocket(socket);
    }
  }, unreadCheckMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}
