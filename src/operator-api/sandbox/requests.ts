import type { AccountId } from '#model/units.ts';
import { accountOfUid } from '#operator-api/accounts/find-account.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { createRequestMemory } from '#operator-api/requests/act.ts';
import { numbersOf, pageOfPast } from '#operator-api/requests/paging.ts';
import { Problem } from '#operator-api/requests/problems.ts';
import type { requestEndpoints } from '#operator-api/sandbox/request-endpoints.ts';
import { type LogControls, TooManyWait } from '#sandbox/request-log/log-controls.ts';

const secondMs = 1000;

/** Handlers of the log of requests; served only where there is one. DEC-KIT-27, DEC-KIT-29, DEC-KIT-31. */
export function requestHandlers(context: OperatorContext): HandlersOf<typeof requestEndpoints> {
  const { queries } = context;
  const once = createRequestMemory(context);
  const log = (): LogControls => {
    if (context.requestLog === null) throw new Problem('unknownPath');
    return context.requestLog;
  };
  /** A filter with the account in the place of its uid. */
  const found = async <Asked extends { readonly account?: number | undefined }>({
    account: uid,
    ...rest
  }: Asked): Promise<Omit<Asked, 'account'> & { readonly account?: AccountId }> =>
    uid === undefined ? rest : { ...rest, account: (await accountOfUid(queries, uid)).account };
  return {
    listRequests: async ({ query: { limit, cursor, ...asked } }) => {
      const [, before = null] = numbersOf(cursor, 2) ?? [];
      const rows = await log().page(await found(asked), { before, limit });
      return pageOfPast(rows, limit, { item: (row) => row, numbers: ({ at, id }) => [at, id] });
    },
    getRequest: async ({ path }) => {
      const entry = await log().entry(path.id);
      if (entry === null) throw new Problem('unknownRequest');
      return entry;
    },
    awaitRequest: async ({ body: { seconds, ...asked } }) => {
      try {
        return { entry: await log().await(await found(asked), seconds * secondMs) };
      } catch (error) {
        throw error instanceof TooManyWait ? new Problem('tooManyWait') : error;
      }
    },
    exportRequests: async ({ query: { format, ...asked } }) => {
      if (asked.id !== undefined && (await log().entry(asked.id))?.kind !== 'request')
        throw new Problem('unknownRequest');
      return log().export(await found(asked), format);
    },
    getRequestSettings: () => log().settings(),
    setRequestSettings: (request) => once('setRequestSettings', request, async () => log().set(request.body)),
    clearRequests: (request) => once('clearRequests', request, async () => ({ removed: log().clear() })),
  };
}
