import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { fastify } from 'fastify';

/**
 * What the budgets of the HTTP lines are held against: Fastify that verifies a signature and answers something shaped
 * like an order, or sends given bytes, with no exchange behind it. Told its secrets and bodies by its parent. Each body
 * is sent at `/bytes/N`, and at `/signed/N` to whoever signs for it.
 */
export interface BaselineTask {
  readonly secrets: Readonly<Record<string, string>>;
  readonly bodies: readonly string[];
}

function isSigned(url: string, body: Buffer | string, secret: string | undefined): boolean {
  const query = url.slice(url.indexOf('?') + 1);
  const at = query.lastIndexOf('&signature=');
  if (secret === undefined || at < 0) return false;
  const expected = createHmac('sha256', secret).update(query.slice(0, at)).update(body).digest();
  return timingSafeEqual(expected, Buffer.from(query.slice(at + '&signature='.length), 'hex'));
}

process.once('message', async ({ secrets, bodies }: BaselineTask) => {
  const server = fastify();
  const secretOf = (name: unknown): string | undefined => secrets[String(name)];
  let orders = 0;
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  server.post('/api/v3/order', (request, reply) => {
    const body = request.body as Buffer;
    if (!isSigned(request.raw.url ?? '', body, secretOf(request.headers['x-svc-apikey']))) {
      void reply.code(400).send({ code: 700002, msg: 'Signature for this request is not valid.' });
      return;
    }
    const asked = JSON.parse(body.toString()) as Record<string, string>;
    orders += 1;
    void reply.send({
      symbol: asked['symbol'],
      orderId: `C02__100${String(orders).padStart(15, '0')}`,
      orderListId: -1,
      price: asked['price'],
      origQty: asked['quantity'],
      type: asked['type'],
      side: asked['side'],
      stpMode: '',
      transactTime: Date.now(),
    });
  });
  for (const [index, bytes] of bodies.entries()) {
    server.get(`/bytes/${index}`, (_, reply) => void reply.type('application/json').send(bytes));
    server.get(`/signed/${index}`, (request, reply) => {
      const signed = isSigned(request.raw.url ?? '', '', secretOf(request.headers['x-svc-apikey']));
      void reply
        .code(signed ? 200 : 400)
        .type('application/json')
        .send(signed ? bytes : '{}');
    });
  }
  await server.listen({ host: '127.0.0.1', port: 0 });
  process.send?.((server.server.address() as AddressInfo).port);
});
