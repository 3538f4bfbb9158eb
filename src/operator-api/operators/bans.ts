import { z } from 'zod';
import type { BannedTarget, BanView, OperatorBan } from '#model/ban.ts';
import { as, type TimestampMs } from '#model/units.ts';
import { endpoint, reason } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import { type ClientTarget, clientTarget, normalTarget } from '#operator-api/operators/client-target.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { pageByText } from '#operator-api/requests/paging.ts';
import { invalidBody, Problem } from '#operator-api/requests/problems.ts';

const { kind, target } = clientTarget.shape;
const until = () => field.moment('When it ends; null: not before it is lifted.').nullable();
const terms = {
  until: until(),
  reason: reason().nullable().meta({ description: 'Why; null: the exchange made it.' }),
};
const ban = z.strictObject({
  kind,
  target: target.meta({ description: 'What is banned, in its normal form.' }),
  automatic: field.flag('Whether the exchange made it, because an address ignored its rate limits.'),
  ...terms,
  actor: z.string().nullable().meta({ description: 'Who set it last; null: the exchange.' }),
  since: field.moment('Since when; null: not kept of those that the exchange made.').nullable(),
  times: field
    .whole('How many times the exchange banned the address within days.', { min: 0, max: Number.MAX_SAFE_INTEGER })
    .nullable(),
});

/** Endpoints of bans. DEC-OPR-175. */
export const banEndpoints = {
  listBans: endpoint.get('/v1/bans', {
    scope: 'bans:read',
    name: 'List bans',
    command: 'bans list',
    summary: 'Bans in force: those that operators made, and those that the exchange made by its rate limits.',
    query: z.strictObject({ kind: kind.optional(), ...field.paging }),
    answer: field.page(ban),
  }),
  getBan: endpoint.get('/v1/bans/{kind}/{target}', {
    scope: 'bans:read',
    name: 'Look at a ban',
    command: 'bans show',
    summary:
      'The ban of an address, a range, an account or a key. That of an operator is shown before an automatic one.',
    parameters: clientTarget,
    answer: ban,
    problems: ['unknownBan'],
  }),
  putBan: endpoint.put('/v1/bans/{kind}/{target}', {
    scope: 'bans:write',
    edits: 'getBan',
    name: 'Ban or change a ban',
    command: 'bans add',
    asksFirst: true,
    summary: 'Bans an address, a range, an account or an API key, or changes until when.',
    notes:
      'An address is banned on the public ports: requests are answered 418, websockets are closed. An IPv6 address ' +
      'stands for its /64. The operator API stays open to it. An account is banned without its sub-accounts; its ' +
      'orders stay open.',
    parameters: clientTarget,
    body: z
      .strictObject({ until: until(), reason: reason() })
      .meta({ examples: [{ until: null, reason: 'It guesses passwords.' }] }),
    answer: ban,
    problems: ['unknownAccount', 'unknownKey', 'tooManyBans', 'invalidConfiguration'],
  }),
  liftBan: endpoint.delete('/v1/bans/{kind}/{target}', {
    scope: 'bans:write',
    edits: 'getBan',
    name: 'Lift a ban',
    command: 'bans lift',
    summary: 'Lifts a ban at once; of an address also that which the exchange made.',
    parameters: clientTarget,
    answer: clientTarget,
    problems: ['unknownBan'],
  }),
};

const bannedBy = (named: ClientTarget): BannedTarget => ({ banned: named.kind, target: normalTarget(named) });

const shown = ({ banned, target: of, until: end, reason: why, actor, since }: OperatorBan) => ({
  ...{ kind: banned, target: of, automatic: false, until: end, reason: why, actor, since, times: null },
});
const shownAutomatic = ({ address, until: end, times }: BanView) => ({
  ...{ kind: 'address' as const, target: address, automatic: true, until: end, reason: null, actor: null },
  ...{ since: null, times },
});
type Shown = ReturnType<typeof shown> | ReturnType<typeof shownAutomatic>;

const keyOf = ({ kind: of, target: name, automatic }: Shown): string => `${of} ${name} ${automatic}`;
const keyPattern = /^(?:address|account|key) \S{1,64} (?:true|false)$/;

/** Handlers of bans. */
export function banHandlers({ queries, clock }: OperatorContext): HandlersOf<typeof banEndpoints> {
  const inForce = async (): Promise<Shown[]> => {
    const now = clock.now();
    const all = [
      ...(await queries.access.operatorBans()).map(shown),
      ...(await queries.access.bans()).map(shownAutomatic),
    ];
    return all.filter(({ until: end }) => end === null || end > now);
  };
  const find = async ({ banned, target: name }: BannedTarget): Promise<Shown> => {
    const found = (await inForce()).find((each) => each.kind === banned && each.target === name);
    if (found === undefined) throw new Problem('unknownBan');
    return found;
  };
  return {
    listBans: async ({ query }) => {
      const rows = (await inForce()).filter((each) => query.kind === undefined || each.kind === query.kind);
      rows.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
      return pageByText(rows, query, { item: (row) => row, key: keyOf, pattern: keyPattern });
    },
    getBan: ({ path }) => find(bannedBy(path)),
    putBan: async ({ path, body, act }) => {
      const meant = bannedBy(path);
      const end = body.until === null ? null : as<TimestampMs>(body.until);
      if (end !== null && end <= clock.now()) throw invalidBody('/until', 'must be in the future');
      await act({ kind: 'setBan', ...meant, until: end, reason: body.reason });
      return find(meant);
    },
    liftBan: async ({ path, act }) => {
      const meant = bannedBy(path);
      await act({ kind: 'liftBan', ...meant });
      return { kind: meant.banned, target: meant.target };
    },
  };
}
