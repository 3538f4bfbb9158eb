import { z } from 'zod';
import { million } from '#base/whole-numbers.ts';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { invalidBody, Problem } from '#operator-api/requests/problems.ts';
import { listedAssets } from '#operator-api/wallet/listed-assets.ts';

const terms = z.strictObject({
  asset: field.assetCode('The platform token.'),
  valuedIn: field.assetCode('Commission and token are valued in this asset, over their pairs with it.'),
  discountPpm: field.whole('How much less commission costs in the token. In parts per million.', {
    min: 0,
    max: million,
  }),
});

/** Endpoints of the platform token, in which accounts may pay commission. DEC-OPR-164. */
export const platformTokenEndpoints = {
  getPlatformToken: endpoint.get('/v1/platform-token', {
    scope: 'pairs:read',
    name: 'Look at the platform token',
    command: 'platform-token show',
    summary: 'The asset in which accounts may pay commission, and its discount.',
    answer: terms,
    problems: ['noPlatformToken'],
  }),
  putPlatformToken: endpoint.put('/v1/platform-token', {
    scope: 'pairs:write',
    edits: 'getPlatformToken',
    name: 'Choose the platform token',
    command: 'platform-token set',
    summary: 'Chooses the asset in which accounts may pay commission, and its discount.',
    notes:
      'It holds for fills from then on, of accounts that have deduction on. Dust is converted into the same asset. ' +
      'A discount of 0 makes the token no cheaper.',
    body: terms.meta({ examples: [{ asset: 'TKN', valuedIn: 'USDT', discountPpm: 200_000 }] }),
    answer: terms,
    problems: ['invalidConfiguration'],
  }),
};

/** Handlers of the platform token. */
export function platformTokenHandlers({ queries }: OperatorContext): HandlersOf<typeof platformTokenEndpoints> {
  const answer = async () => {
    const { feeToken } = await queries.listing();
    if (feeToken === null) throw new Problem('noPlatformToken');
    const assets = await listedAssets(queries);
    const { token, valuedIn, discountPpm } = feeToken;
    return { asset: assets.at(token).code, valuedIn: assets.at(valuedIn).code, discountPpm };
  };
  return {
    getPlatformToken: answer,
    putPlatformToken: async ({ body, act }) => {
      const assets = await listedAssets(queries);
      const { id: token } = assets.ofBody(body.asset, '/asset');
      const { id: valuedIn } = assets.ofBody(body.valuedIn, '/valuedIn');
      if (token === valuedIn) throw invalidBody('/valuedIn', 'must not be the token itself');
      await act({ kind: 'configureFeeToken', token, valuedIn, discountPpm: body.discountPpm });
      return answer();
    },
  };
}
