import type { z } from 'zod';
import { personOf } from '#model/person.ts';
import { as, type Seq, type TimestampMs } from '#model/units.ts';
import type { Where } from '#history/history-store.ts';
import type { OperatorActRow } from '#history/tables/wallet-tables.ts';
import type { actEndpoints } from '#operator-api/operators/act-endpoints.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { createPast, numbersOf, pageOfPast } from '#operator-api/requests/paging.ts';
import { invalidParameter, Problem } from '#operator-api/requests/problems.ts';

type Endpoints = typeof actEndpoints;
type ActAnswer = z.input<Endpoints['getAct']['answer']>;

const shown = (row: OperatorActRow): ActAnswer => ({
  number: row.number,
  at: row.at,
  seq: row.seq,
  actor: row.actor,
  token: row.token,
  address: row.address,
  idempotencyKey: row.idempotencyKey,
  reason: row.reason,
  command: row.commandKind,
  target: { type: row.targetKind, id: row.targetId },
  parameters: JSON.parse(row.parameters) as ActAnswer['parameters'],
  changes: JSON.parse(row.changes) as ActAnswer['changes'],
  refusal: row.refusal,
  hash: row.hash,
});

/** The columns that a question names. */
function wanted(query: z.output<Endpoints['listActs']['query']>): Where<OperatorActRow> {
  const { actor, targetType, targetId, command, refused } = query;
  if (targetId !== undefined && targetType === undefined)
    throw invalidParameter('targetType', 'must be given with targetId');
  return {
    ...(actor === undefined ? {} : { actor: personOf(actor) }),
    ...(targetType === undefined ? {} : { targetKind: targetType }),
    ...(targetId === undefined ? {} : { targetId }),
    ...(command === undefined ? {} : { commandKind: command as OperatorActRow['commandKind'] }),
    ...(refused === undefined ? {} : { isRefused: refused }),
  };
}

/** Handlers of what operators did. */
export function actHandlers(context: OperatorContext): HandlersOf<Endpoints> {
  const past = createPast(context);
  return {
    listActs: async ({ query }) => {
      const { limit, cursor } = query;
      const last = numbersOf(cursor, 2);
      const before = last && { at: as<TimestampMs>(last[0]!), seq: as<Seq>(last[1]!) };
      const rows = await past.page('operatorActs', wanted(query), query, { limit, before });
      return pageOfPast(rows, limit, { item: shown, numbers: ({ at, seq }) => [at, seq] });
    },
    getAct: async ({ path: { number } }) => {
      const [row] = await past.page('operatorActs', { number }, {}, { limit: 1, before: null });
      if (row === undefined) throw new Problem('unknownAct');
      return shown(row);
    },
  };
}
