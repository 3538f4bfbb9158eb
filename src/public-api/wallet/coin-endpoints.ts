import { z } from 'zod';
import * as answer from '#public-api/declaration/answers.ts';
import { endpoint, signed } from '#public-api/declaration/endpoint.ts';

const network = z.object({
  coin: z.string(),
  name: z.string(),
  network: z.string(),
  netWork: z.string(),
  depositEnable: z.boolean(),
  withdrawEnable: z.boolean(),
  withdrawFee: answer.decimalText(),
  withdrawMax: answer.decimalText(),
  withdrawMin: answer.decimalText(),
  minConfirm: answer.count(),
  depositDesc: z.string().nullable(),
  withdrawIntegerMultiple: answer.decimalText().nullable(),
  sameAddress: z.boolean(),
  contract: z.string().nullable(),
  withdrawTips: z.string().nullable(),
  depositTips: z.string().nullable(),
});

/** Endpoint of assets and their networks. */
export const walletCoinEndpoints = {
  coinConfiguration: endpoint.get('/api/v3/capital/config/getall', {
    surface: 'spot',
    envelope: 'bare',
    spec: ['SPEC-WAL-01', 'SPEC-WAL-02', 'DEC-WAL-08'],
    name: 'Assets and networks',
    summary: 'Every asset with the networks it can be moved over.',
    notes: 'network is the label of a network, netWork its code; requests take either.',
    access: signed('SPOT_WITHDRAW_READ'),
    weight: { ip: 10 },
    response: z.array(z.object({ coin: z.string(), name: z.string(), networkList: z.array(network) })),
  }),
};
