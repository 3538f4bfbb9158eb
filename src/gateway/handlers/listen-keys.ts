import { createHash, randomBytes } from 'node:crypto';
import { refusalError } from '#api/errors.ts';
import type { Command } from '#domain/command.ts';
import { engineLimits } from '#domain/limits.ts';
import type { AccountView } from '#domain/account.ts';
import type { Call } from '#gateway/call.ts';
import type { GatewayContext } from '#gateway/gateway-context.ts';
import { handOver } from '#gateway/hand-over.ts';
import type { Handlers } from '#gateway/handlers.ts';

type ListenKeyEndpoint = 'createListenKey' | 'listenKeys' | 'renewListenKey' | 'deleteListenKey';

const keyBytes = 32;
const hashOf = (key: string): string => createHash('sha256').update(key, 'utf8').digest('hex');

async function run(context: GatewayContext, call: Call, command: Command): Promise<void> {
  const { events } = await handOver(context, call, command);
  for (const event of events) if (event.kind === 'commandRefused') throw refusalError(event.reason);
}

/** Listen keys. The exchange knows them sealed and by hash; the key itself is shown to its account only. DEC-STR-01. */
export function listenKeyHandlers(context: GatewayContext): Pick<Handlers, ListenKeyEndpoint> {
  const change = async (
    kind: 'renewListenKey' | 'deleteListenKey',
    { account }: AccountView,
    listenKey: string,
    call: Call,
  ): Promise<{ listenKey: string }> => {
    await run(context, call, { kind, account, keyHash: hashOf(listenKey) });
    return { listenKey };
  };
  return {
    createListenKey: async (_request, { account }, call) => {
      const listenKey = randomBytes(keyBytes).toString('hex');
      await run(context, call, {
        kind: 'createListenKey',
        account: account.account,
        keyHash: hashOf(listenKey),
        sealedKey: context.listenKeySeal.seal(listenKey, account.uid),
      });
      return { listenKey };
    },
    listenKeys: async (_request, { account }) => {
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
    renewListenKey: ({ listenKey }, { account }, call) => change('renewListenKey', account, listenKey, call),
    deleteListenKey: ({ listenKey }, { account }, call) => change('deleteListenKey', account, listenKey, call),
  };
}
