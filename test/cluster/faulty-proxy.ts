import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Connections to one server that fail when they are told to. */
export interface FaultyProxy {
  /** Where it listens, as a URL. */
  readonly url: string;
  /** The next `count` requests whose first line has `path` reach the server, and their answers do not come back. */
  loseAnswers(path: string, count: number): void;
  /** Ends all connections and takes no more until `heal`. */
  cut(): void;
  heal(): void;
  close(): Promise<void>;
}

/** Listens on the loopback interface and hands everything on to the server at `target`. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  let losing = { path: '', count: 0 };
  const keep = (socket: Socket, other: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
  };
  const server = createServer((client) => {
    if (isCut) return void client.on('error', () => {}).resetAndDestroy();
    const upstream = connect(Number(port), hostname);
    let isLosing = false;
    keep(client, upstream);
    keep(upstream, client);
    client.on('data', (chunk) => {
      if (losing.count > 0 && chunk.includes(`POST ${losing.path} `)) {
        losing.count -= 1;
        isLosing = true;
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (isLosing) client.destroy();
      else client.write(chunk);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    loseAnswers: (path, count) => {
      losing = { path, count };
    },
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    heal: () => {
      isCut = false;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
