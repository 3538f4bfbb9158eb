/** The members of a socket that `cutSocket` uses; TCP sockets have `resetAndDestroy`. */
export interface CutSocket {
  resetAndDestroy?(): unknown;
  destroy(): unknown;
}

/**
 * Resets the connection of a peer that does not read, so that the kernel frees its send buffer (up to 4 MB) at once
 * instead of retrying for minutes.
 */
export function cutSocket(socket: CutSocket): void {
  // `end` alone would wait until everything is written: for ever, if the peer does not read.
  socket.resetAndDestroy?.();
  socket.destroy();
}
