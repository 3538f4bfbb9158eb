import { z } from 'zod';
import { endpoint, signed } from '#public-api/declaration/endpoint.ts';
import * as field from '#public-api/declaration/fields.ts';

const everyOne = {
  surface: 'spot',
  envelope: 'bare',
  access: signed('SPOT_ACCOUNT_READ'),
  /** Listen keys open nothing but reading. DEC-SUB-48. */
  mayBeFrozen: true,
  opensReading: true,
  weight: { ip: 1 },
} as const;
const answer = z.object({ listenKey: z.string() });
const example = { listenKey: 'a'.repeat(64) };

/** Endpoints of listen keys. */
export const listenKeyEndpoints = {
  createListenKey: endpoint.post('/api/v3/userDataStream', {
    ...everyOne,
    spec: ['SPEC-LKEY-01', 'SPEC-LKEY-05', 'DEC-STR-01'],
    name: 'Create listen key',
    summary: 'Makes a listen key, with which a websocket gets the private channels of the account.',
    notes:
      'Valid for 60 minutes from the call. Each call makes another key; an account holds at most 60. It belongs to ' +
      'the API key that made it: it ends with that key, and opens only from the addresses that key is bound to.',
    response: answer,
    errors: ['unsupportedOperation'],
  }),
  listenKeys: endpoint.get('/api/v3/userDataStream', {
    ...everyOne,
    spec: ['SPEC-LKEY-02', 'DEC-STR-01'],
    name: 'Listen keys',
    summary: 'The valid listen keys of the account, how many it may hold and how many more it can make.',
    response: z.object({ total: z.number(), listenKey: z.array(z.string()), available: z.number() }),
  }),
  renewListenKey: endpoint.put('/api/v3/userDataStream', {
    ...everyOne,
    spec: ['SPEC-LKEY-03', 'DEC-STR-01', 'DEC-STR-13'],
    name: 'Renew listen key',
    summary: 'Makes a listen key valid for 60 minutes from the call.',
    request: z.object({ listenKey: field.listenKey() }),
    response: answer,
    errors: ['invalidParameter'],
    example,
  }),
  deleteListenKey: endpoint.delete('/api/v3/userDataStream', {
    ...everyOne,
    spec: ['SPEC-LKEY-04', 'DEC-STR-01', 'DEC-STR-13'],
    name: 'Delete listen key',
    summary: 'Ends a listen key; connections that use it are closed.',
    request: z.object({ listenKey: field.listenKey() }),
    response: answer,
    errors: ['invalidParameter'],
    example,
  }),
};
