import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** One address in front of several nodes: connections go to one of them, and to the next when it is gone. */
export interface Balancer {
  /** Where it listens, without a scheme. */
  readonly host: string;
  /** Index of the node that connections go to. */
  readonly node: number;
  close(): Promise<void>;
}

/** Listens on the loopback interface; `first`: index of the node to begin with. */
export async function startBalancer(urls: readonly string[], first: number): Promise<Balancer> {
  const sockets = new Set<Socket>();
  let node = first;
  const keep = (socket: Socket, other: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
  };
  const server = createServer((client) => {
    const asked = node;
    const { hostname, port } = new URL(urls[asked]!);
    const upstream = connect(Number(port), hostname);
    upstream.once('error', () => {
      // Who asks again gets the next one.
      if (asked === node) node = (node + 1) % urls.length;
    });
    keep(client, upstream);
    keep(upstream, client);
    client.pipe(upstream).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    get node() {
      return node;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
