import { once } from 'node:events';
import { WebSocket } from 'ws';
import { machineTimer } from '#base/clock.ts';
import { StepFailed } from '#testing/scenario/step-answer.ts';

/** Bounds of what a stream keeps: the oldest go. */
const kept = { messages: 10_000, bytes: 16 * 1024 * 1024 } as const;
const answerMs = 10_000;

/** A push with its text parsed. */
interface Push {
  readonly channel: string;
  readonly bytes: number;
  readonly content: Readonly<Record<string, unknown>>;
}

/** How a connection ended. */
export interface StreamEnd {
  readonly code: number;
  readonly reason: string;
}

/** A websocket that listens to channels until it ends: it does not connect again. */
export class Stream {
  readonly #socket: WebSocket;
  #pushes: Push[] = [];
  #bytes = 0;
  #end: StreamEnd | null = null;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => this.#take(data.toString('utf8')));
    socket.on('close', (code, reason) => {
      this.#end = { code, reason: reason.toString('utf8') };
    });
    // What went wrong is in the close that follows.
    socket.on('error', () => {});
  }

  /** `null`: it is open. */
  get end(): StreamEnd | null {
    return this.#end;
  }

  /** Pushes of a channel, all without one, that were not taken yet. */
  pushes(channel: string | undefined): readonly Push['content'][] {
    return this.#pushes
      .filter((push) => channel === undefined || push.channel === channel)
      .map(({ content }) => content);
  }

  /** Forgets a push and those of its channel before it, so that the next step waits for a later one. */
  taken(content: Push['content']): void {
    const at = this.#pushes.findIndex((push) => push.content === content);
    const { channel } = this.#pushes[at] as Push;
    this.#pushes = this.#pushes.filter((push, index) => index > at || push.channel !== channel);
    this.#bytes = this.#pushes.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Subscribes. @throws StepFailed where a channel is refused or nothing is answered in time */
  async subscribe(channels: readonly string[]): Promise<void> {
    this.#socket.send(JSON.stringify({ id: 1, method: 'SUBSCRIPTION', params: channels }));
    const wanted = channels.join(',');
    const said = await new Promise<string>((resolve) => {
      const cancel = machineTimer(answerMs, () => end('no answer'));
      const hear = (data: Buffer): void => {
        const message = JSON.parse(data.toString('utf8')) as { readonly id?: unknown; readonly msg?: unknown };
        if (message.id === 1) end(String(message.msg));
      };
      const end = (text: string): void => {
        cancel();
        this.#socket.off('message', hear);
        resolve(text);
      };
      this.#socket.on('message', hear);
      this.#socket.once('close', (code) => end(`the connection was closed with ${code}`));
    });
    if (said !== wanted) throw new StepFailed(`the channels ${wanted}`, said);
  }

  async close(): Promise<void> {
    if (this.#end !== null) return;
    const closed = once(this.#socket, 'close');
    this.#socket.terminate();
    await closed;
  }

  #take(text: string): void {
    const content = JSON.parse(text) as Push['content'];
    if (typeof content['channel'] !== 'string') return;
    this.#pushes.push({ channel: content['channel'], bytes: text.length, content });
    this.#bytes += text.length;
    while (this.#pushes.length > kept.messages || (this.#bytes > kept.bytes && this.#pushes.length > 1))
      this.#bytes -= this.#pushes.shift()?.bytes ?? 0;
  }
}

/** Most streams of a scenario. */
const streamsMax = 100;

/** The streams of a scenario by name. */
export class Streams {
  readonly #wsUrl: string;
  readonly #open = new Map<string, Stream>();

  constructor(wsUrl: string) {
    this.#wsUrl = wsUrl;
  }

  /** @throws StepFailed where none was opened under the name, such as in a step that was not made */
  named(name: string): Stream {
    const stream = this.#open.get(name);
    if (stream === undefined) throw new StepFailed(`a stream ${name}`, 'none of that name');
    return stream;
  }

  /** Connects and subscribes, in place of a stream that had the name before. @throws StepFailed */
  async open(name: string, channels: readonly string[], listenKey: string | null): Promise<void> {
    await this.#open.get(name)?.close();
    if (this.#open.size >= streamsMax) throw new StepFailed(`at most ${streamsMax} streams`, 'one more');
    const query = listenKey === null ? '' : `&listenKey=${listenKey}`;
    const socket = new WebSocket(`${this.#wsUrl}?encoding=json${query}`, { handshakeTimeout: answerMs });
    const stream = new Stream(socket);
    this.#open.set(name, stream);
    await once(socket, 'open').catch((error: Error) => {
      throw new StepFailed('a websocket', error.message);
    });
    await stream.subscribe(channels);
  }

  async close(): Promise<void> {
    for (const stream of this.#open.values()) await stream.close();
    this.#open.clear();
  }
}
