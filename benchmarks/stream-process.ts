import { type ChildProcess, fork } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { cpuSeconds } from './processor-time.ts';
import type { StreamServerKind, StreamServerTask } from './stream-server.ts';

/** Messages that were pushed over all sockets, the time that it took, and the server's processor time. */
export interface Pushed {
  readonly messages: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** A stream server in a process of its own, and raw sockets that count the bytes that come. */
export class StreamProcess {
  readonly port: number;
  readonly sockets: Socket[] = [];
  private readonly child: ChildProcess;
  private bytes = 0;
  private onBytes: (() => void) | null = null;

  private constructor(child: ChildProcess, port: number) {
    this.child = child;
    this.port = port;
  }

  static async start(kind: StreamServerKind): Promise<StreamProcess> {
    const child = fork(join(import.meta.dirname, 'stream-server.js'), [kind], { execArgv: ['--expose-gc'] });
    const port = await new Promise<number>((resolve, reject) => {
      child.once('message', (message) => resolve(Number(message)));
      child.once('close', (code) => reject(new Error(`the stream server ended with ${code}`)));
    });
    return new StreamProcess(child, port);
  }

  /** Opens sockets, a hundred at a time; with a channel, each subscribes to it and waits for the reply. */
  async open(count: number, channel: string | null): Promise<void> {
    for (let opened = 0; opened < count; opened += 100) {
      await Promise.all(Array.from({ length: Math.min(100, count - opened) }, () => this.openOne(channel)));
    }
  }

  /** What it took to push fills to all sockets, from the first turn to the last byte received. */
  async fills(turns: number, perTurn: number, messageSize: number): Promise<Pushed> {
    this.bytes = 0;
    const expected = turns * perTurn * messageSize * this.sockets.length;
    const all = new Promise<void>((resolve) => {
      this.onBytes = () => {
        if (this.bytes >= expected) resolve();
      };
    });
    const began = performance.now();
    const before = cpuSeconds(this.child.pid!);
    this.child.send({ kind: 'fills', turns, perTurn } satisfies StreamServerTask);
    await all;
    const seconds = (performance.now() - began) / 1000;
    // The server may have pinged meanwhile, which is a few bytes more.
    if (this.bytes > expected * 1.001) throw new Error(`${this.bytes} bytes came instead of ${expected}`);
    return {
      messages: turns * perTurn * this.sockets.length,
      seconds,
      cpuSeconds: cpuSeconds(this.child.pid!) - before,
    };
  }

  /** Size of one push as it goes over the wire. */
  async messageSize(): Promise<number> {
    this.bytes = 0;
    this.onBytes = null;
    this.child.send({ kind: 'fills', turns: 1, perTurn: 1 } satisfies StreamServerTask);
    await new Promise((resolve) => setTimeout(resolve, 500));
    return this.bytes / this.sockets.length;
  }

  /** Resident bytes of the server. */
  memory(): Promise<number> {
    const answer = new Promise<number>((resolve) => {
      const take = (message: unknown): void => {
        if (typeof message !== 'number') return;
        this.child.off('message', take);
        resolve(message);
      };
      this.child.on('message', take);
    });
    this.child.send({ kind: 'memory' } satisfies StreamServerTask);
    return answer;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    const closed = new Promise((resolve) => this.child.once('close', resolve));
    this.child.kill();
    await closed;
  }

  private openOne(channel: string | null): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.port, '127.0.0.1');
      const key = channel?.includes('private')
        ? `?listenKey=${this.sockets.length.toString(16).padStart(64, '0')}`
        : '';
      this.sockets.push(socket);
      socket.once('error', reject);
      socket.write(
        `GET /ws${key} HTTP/1.1\r\nHost: bench\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
          'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
      );
      const count = (data: Buffer): void => {
        this.bytes += data.length;
        this.onBytes?.();
      };
      socket.once('data', () => {
        if (channel === null) {
          socket.on('data', count);
          resolve();
          return;
        }
        socket.once('data', () => {
          socket.on('data', count);
          resolve();
        });
        socket.write(maskedText(JSON.stringify({ method: 'SUBSCRIPTION', params: [channel] })));
      });
    });
  }
}

/** A client's text frame of 126 to 65,535 bytes or fewer, masked with zeros. */
function maskedText(text: string): Buffer {
  const payload = Buffer.from(text);
  const head =
    payload.length < 126
      ? Buffer.of(0x81, 0x80 | payload.length)
      : Buffer.of(0x81, 0xfe, payload.length >> 8, payload.length & 0xff);
  return Buffer.concat([head, Buffer.alloc(4), payload]);
}
