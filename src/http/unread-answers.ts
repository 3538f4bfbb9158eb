import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '#base/clock.ts';
import { cutSocket } from '#base/cut-socket.ts';
import { wireLimits } from '#http/limits.ts';

/** Progress of a peer: bytes it had taken when last checked, and since when that number has not changed. */
interface Progress {
  /** Bytes passed to the kernel. */
  taken: number;
  since: number;
}

const { unreadTimeoutMs, unreadCheckMs } = wireLimits.connection;

/**
 * Resets connections whose peers read nothing for a minute while data waits for them, so that the kernel frees its
 * buffers. All sockets are checked once a second: a timer for each would cost every request.
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
