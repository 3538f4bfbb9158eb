import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * What may happen to a request: it is lost, its answer is lost, its answer is replaced by 504, or before it arrives it
 * is refused, or a limit refuses it, or one that asks for more patience than an order has.
 */
export type Fault = 'requestLost' | 'answerLost' | 'timeout' | 'refused' | 'limited' | 'limitedForLong';

const reply = (status: string, headers: string, body: string): string =>
  `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
export const retryAfterSeconds = 7;
const limited = (seconds: number): string =>
  reply('429 Too Many Requests', `Retry-After: ${seconds}\r\n`, '{"code":429,"msg":"x"}');
/** Answers in place of the exchange's, which then hears nothing of the request. */
const replies: Partial<Record<Fault, string>> = {
  refused: reply('400 Bad Request', '', '{"code":30004,"msg":"x"}'),
  limited: limited(retryAfterSeconds),
  limitedForLong: limited(50),
};
const timeout = reply('504 Gateway Timeout', '', '{"code":504,"msg":"x"}');

/** A proxy before an exchange that spoils the next requests of one kind, one for each of `faults`. */
export class FaultyProxy {
  readonly base: string;
  faults: Fault[] = [];
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();

  private constructor(server: Server, port: number) {
    this.server = server;
    this.base = `http://127.0.0.1:${port}`;
  }

  /** `spoils`: which requests, by method and path. */
  static async open(target: string, spoils: string): Promise<FaultyProxy> {
    const server = createServer((client) => proxy.serve(client, new URL(target), spoils));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = new FaultyProxy(server, (server.address() as AddressInfo).port);
    return proxy;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }

  private serve(client: Socket, { hostname, port }: URL, spoils: string): void {
    const upstream = connect(Number(port), hostname);
    let fault: Fault | undefined;
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
    }
    client.on('data', (chunk) => {
      // Requests of the tests have no body and fit into one packet.
      fault = String(chunk).startsWith(spoils) ? this.faults.shift() : undefined;
      const instead = fault === undefined ? undefined : replies[fault];
      if (fault === 'requestLost') client.destroy();
      else if (instead !== undefined) client.write(instead);
      else upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (fault === 'answerLost') client.destroy();
      else client.write(fault === 'timeout' ? timeout : chunk);
    });
  }
}
