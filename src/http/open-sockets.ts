import type { Socket } from 'node:net';
import type { ClientAddress } from '#http/client-address.ts';
import { isClosing } from '#http/request-gate.ts';

interface SocketsOfAddress {
  readonly client: ClientAddress;
  readonly sockets: Set<Socket>;
}

/** The open sockets of each client address, over all ports, websockets included; the connection caps bound them. */
export class OpenSockets {
  readonly #byAddress = new Map<string, SocketsOfAddress>();

  /** Keeps a socket until it is closed. Returns how many its address has now. */
  add(client: ClientAddress, socket: Socket): number {
    const known = this.#byAddress.get(client.bucket) ?? { client, sockets: new Set() };
    this.#byAddress.set(client.bucket, known);
    const { sockets } = known;
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0 && this.#byAddress.get(client.bucket) === known) this.#byAddress.delete(client.bucket);
    });
    return sockets.size;
  }

  /** The client behind a bucket that has open sockets. */
  clientOf(bucket: string): ClientAddress | null {
    return this.#byAddress.get(bucket)?.client ?? null;
  }

  /** Ends the sockets of an address, but those that end behind the answer being sent. */
  destroyAll(bucket: string): void {
    for (const socket of this.#byAddress.get(bucket)?.sockets ?? []) if (!isClosing(socket)) socket.destroy();
  }
}
