import type { Socket } from 'node:net';
import type { ClientAddress } from '#http/client-address.ts';
import { isClosing } from '#http/request-gate.ts';

interface SocketsOfAddress {
  readonly client: ClientAddress;
  /** Whether each is on the port of operators. */
  readonly sockets: Map<Socket, boolean>;
}

/** The open sockets of each client address, over all ports, websockets included; the connection caps bound them. */
export class OpenSockets {
  readonly #byAddress = new Map<string, SocketsOfAddress>();

  /** Keeps a socket until it is closed. Returns how many its address has now. */
  add(client: ClientAddress, socket: Socket, isForOperators = false): number {
    const known = this.#byAddress.get(client.bucket) ?? { client, sockets: new Map() };
    this.#byAddress.set(client.bucket, known);
    const { sockets } = known;
    sockets.set(socket, isForOperators);
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
    for (const socket of this.#byAddress.get(bucket)?.sockets.keys() ?? []) if (!isClosing(socket)) socket.destroy();
  }

  /** The same of all addresses that are meant, but on the port of operators. */
  destroyOf(isMeant: (client: ClientAddress) => boolean): void {
    for (const { client, sockets } of this.#byAddress.values()) {
      if (!isMeant(client)) continue;
      for (const [socket, isForOperators] of sockets) if (!isForOperators && !isClosing(socket)) socket.destroy();
    }
  }
}
