import { expect } from 'vitest';
import { catalogue, type EndpointId } from '#public-api/catalogue.ts';
import { wrappedAnswer } from '#public-api/documents/envelope.ts';
import type { Reply } from './gateway-harness.ts';

/** The answer has exactly the fields that its endpoint declares, each of its type. */
export function expectShape(id: EndpointId, reply: Reply): void {
  expect(reply.body).not.toHaveProperty('msg', expect.stringMatching(/\.$/));
  const { envelope, response } = catalogue[id];
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toBe('application/json;charset=utf-8');
  expect(wrappedAnswer(envelope, response).parse(reply.body)).toEqual(reply.body);
}

/** The answer is this refusal, whose text is a sentence. */
export function expectCode(reply: Reply, code: number, status = 400): void {
  expect({ status: reply.status, code: reply.body.code }).toEqual({ status, code });
  expect(reply.body.msg).toMatch(/\.$/);
}
