import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { isoTime, type SetTimer } from '#base/clock.ts';
import { jsonSchemaOf } from '#http/documents/json-schema.ts';
import type { AnyOperatorEndpoint } from '#operator-api/declaration/endpoint.ts';
import { momentFormat, type streamFormats } from '#operator-api/declaration/fields.ts';
import { operatorLimits } from '#operator-api/declaration/limits.ts';
import { type CsvCell, csvRow } from '#operator-api/requests/csv-text.ts';
import { Problem } from '#operator-api/requests/problems.ts';

/** A line of a stream. */
export type StreamedLine = Readonly<Record<string, CsvCell>>;
type StreamFormat = (typeof streamFormats)[number];

/** Content types of streams. */
export const streamTypes: Readonly<Record<StreamFormat, string>> = {
  json: 'application/x-ndjson',
  csv: 'text/csv',
};

const { atOnce, longestMs, retryAfterSeconds, aheadBytes } = operatorLimits.streams;

/**
 * Streams that go on, on one server. What is not read is not made: a page of lines ahead, no more. Each ends after the
 * longest time, with its reader, and with the server; what ends early is cut, so that nobody takes it for whole.
 * DEC-OPR-227.
 */
export class Streams {
  readonly #setTimer: SetTimer;
  readonly #open = new Set<Readable>();
  /** Streams whose lines are being looked for. */
  #begun = 0;

  constructor(app: FastifyInstance, setTimer: SetTimer) {
    this.#setTimer = setTimer;
    app.addHook('preClose', (done) => {
      for (const stream of this.#open) stream.destroy(new Error('the exchange stops'));
      done();
    });
  }

  /** Answers with the lines that `begin` finds. @throws Problem `tooManyStreams`, and what `begin` throws. */
  async send(
    reply: FastifyReply,
    { endpoint, format }: { readonly endpoint: AnyOperatorEndpoint; readonly format: StreamFormat },
    begin: () => Promise<AsyncIterable<StreamedLine>>,
  ): Promise<FastifyReply> {
    if (this.#open.size + this.#begun >= atOnce)
      throw new Problem('tooManyStreams', { headers: ['retry-after', `${retryAfterSeconds}`] });
    this.#begun += 1;
    let stream: Readable;
    try {
      const lines = await begin();
      stream = Readable.from(textOf(lines, endpoint, format), { objectMode: false, highWaterMark: aheadBytes });
    } finally {
      this.#begun -= 1;
    }
    this.#open.add(stream);
    const cancel = this.#setTimer(longestMs, () => stream.destroy(new Error('the stream took too long')));
    stream.once('close', () => {
      cancel();
      this.#open.delete(stream);
    });
    return reply.header('cache-control', 'no-store').type(`${streamTypes[format]}; charset=utf-8`).send(stream);
  }
}

/** Lines as text, joined to pieces that are worth sending. */
async function* textOf(
  lines: AsyncIterable<StreamedLine>,
  endpoint: AnyOperatorEndpoint,
  format: StreamFormat,
): AsyncGenerator<string> {
  const columns = columnsOf(endpoint);
  const lineText =
    format === 'json'
      ? (line: StreamedLine): string => `${JSON.stringify(line)}\n`
      : (line: StreamedLine): string =>
          csvRow(columns.map(({ name, isMoment }) => (isMoment ? isoOf(line[name]!) : line[name]!)));
  let text = format === 'csv' ? csvRow(columns.map(({ name }) => name)) : '';
  for await (const line of lines) {
    text += lineText(line);
    if (text.length < aheadBytes) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

const isoOf = (moment: CsvCell): CsvCell => (moment === null ? null : isoTime(moment as number));

/** The columns of a table of its lines. */
function columnsOf({ answer }: AnyOperatorEndpoint) {
  const properties = jsonSchemaOf(answer)['properties'] as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  return Object.entries(properties).map(([name, { format, anyOf }]) => ({
    name,
    isMoment:
      format === momentFormat ||
      ((anyOf ?? []) as readonly Readonly<Record<string, unknown>>[]).some((each) => each['format'] === momentFormat),
  }));
}
