import type { listenKeyEndpoints } from '#public-api/accounts/listen-key-endpoints.ts';
import { createHash } from 'node:crypto';
import { engineLimits } from '#model/limits.ts';
import type { AccountView } from '#model/account.ts';
import type { EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import { submitAccepted } from '#public-api/submit.ts';
import type { HandlersOf } from '#public-api/handlers.ts';

const keyBytes = 32;
const hashOf = (key: string): string => createHash('sha256').update(key, 'utf8').digest('hex');

/**
 * Handlers of listen keys. The exchange stores them encrypted and by hash; the key itself is shown to its account only.
 * DEC-STR-01.
 */
export function listenKeyHandlers(context: GatewayContext): HandlersOf<typeof listenKeyEndpoints> {
  const change = async (
    kind: 'renewListenKey' | 'deleteListenKey',
    { account }: AccountView,
    listenKey: string,
    request: EndpointRequest,
  ): Promise<{ listenKey: string }> => {
    await submitAccepted(context, request, { kind, account, keyHash: hashOf(listenKey) });
    return { listenKey };
  };
  return {
    createListenKey: async (_parameters, { account, key }, request) => {
      const listenKey = context.newSecret('listen key', keyBytes).toString('hex');
      await submitAccepted(context, request, {
        kind: 'createListenKey',
        account: account.account,
        accessKey: key.accessKey,
        keyHash: hashOf(listenKey),
        sealedKey: context.listenKeySeal.seal(listenKey, account.uid),
      });
      return { listenKey };
    },
    listenKeys: async (_parameters, { account }) => {
      const keys = await context.queries.listenKeysOf(account.account);
      const now = context.clock.now();
      const valid = keys.filter(({ expiresAt }) => expiresAt > now);
      const total = engineLimits.listenKeysPerAccount;
      return {
        total,
        listenKey: valid.map(({ sealedKey }) => context.listenKeySeal.unseal(sealedKey, account.uid)),
        available: total - valid.length,
      };
    },
    renewListenKey: ({ listenKey }, { account }, request) => change('renewListenKey', account, listenKey, request),
    deleteListenKey: ({ listenKey }, { account }, request) => change('deleteListenKey', account, listenKey, request),
  };
}
