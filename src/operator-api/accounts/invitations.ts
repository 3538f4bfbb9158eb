import type { z } from 'zod';
import type { Invitation, InviteCode, Product } from '#model/rebate.ts';
import { as, type TimestampMs } from '#model/units.ts';
import type { invitationEndpoints } from '#operator-api/accounts/invitation-endpoints.ts';
import { accountOfUid, uidOf } from '#operator-api/accounts/find-account.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { numbersOf, pageByNumber, pageOfPast } from '#operator-api/requests/paging.ts';
import { Problem } from '#operator-api/requests/problems.ts';

type Endpoints = typeof invitationEndpoints;
type InviteCodeAnswer = z.input<Endpoints['getInviteCode']['answer']>;

/** A time that is 0 where it did not happen yet. */
const maybe = (at: TimestampMs): TimestampMs | null => (at === 0 ? null : at);

/** Handlers of invitations. */
export function invitationHandlers({ queries }: OperatorContext): HandlersOf<Endpoints> {
  const { rebates } = queries;
  const shownCode = async ({ owner, code, campaign, createdAt }: InviteCode): Promise<InviteCodeAnswer> => ({
    code,
    uid: (await uidOf(queries, owner)) as number,
    campaign,
    createdAt,
  });
  const codeOf = async (code: string): Promise<InviteCodeAnswer> => {
    const found = await rebates.inviteCode(code);
    if (found === null) throw new Problem('unknownInviteCode');
    return shownCode(found);
  };
  const ratesOf = async (of: number, product: Product) => {
    const { uid, account } = await accountOfUid(queries, of);
    const { referralPpm, subAffiliatePpm, thirdPpm, kickbackPpm } = await rebates.rates(account, product);
    return { uid, product, referralPpm, subAffiliatePpm, thirdPpm, kickbackPpm };
  };
  const shownInvitee = async (invitation: Invitation) => ({
    uid: (await uidOf(queries, invitation.account)) as number,
    code: invitation.code,
    invitedAt: invitation.invitedAt,
    firstDepositAt: maybe(invitation.firstDepositAt),
    lastDepositAt: maybe(invitation.lastDepositAt),
    firstTradeAt: maybe(invitation.firstTradeAt),
    lastTradeAt: maybe(invitation.lastTradeAt),
  });
  return {
    listInviteCodes: async ({ path, query }) => {
      const { account } = await accountOfUid(queries, path.uid);
      const numbered = (await rebates.inviteCodesOf(account)).map((code, index) => ({ code, index }));
      const { items, nextCursor } = pageByNumber(numbered, query, {
        item: ({ code }) => code,
        number: ({ index }) => index,
      });
      return { items: await Promise.all(items.map(shownCode)), nextCursor };
    },
    createInviteCode: async ({ path, body, act }) => {
      const { account: owner } = await accountOfUid(queries, path.uid);
      await act({ kind: 'createInviteCode', owner, code: body.code, campaign: body.campaign });
      return codeOf(body.code);
    },
    getInviteCode: ({ path }) => codeOf(path.code),
    recordClicks: async ({ path, body, act }) => {
      const { code, uid } = await codeOf(path.code);
      const { minute, count } = body;
      await act({ kind: 'recordClicks', code, minute: as<TimestampMs>(minute), count });
      return { code, uid, minute, count };
    },
    getRebateRates: ({ path }) => ratesOf(path.uid, path.product),
    setRebateRates: async ({ path, body, act }) => {
      const { account: inviter } = await accountOfUid(queries, path.uid);
      await act({ kind: 'setRebateRates', inviter, product: path.product, ...body });
      return ratesOf(path.uid, path.product);
    },
    listInvitees: async ({ path, query }) => {
      const { account } = await accountOfUid(queries, path.uid);
      const { code, limit, cursor, from = 0 } = query;
      // Pages after the first keep to its end, so that who comes meanwhile does not shift them.
      const [to, offset] = numbersOf(cursor, 2) ?? [query.to ?? (await queries.position()).at, 0];
      const window = { from: as<TimestampMs>(from), to: as<TimestampMs>(to!) };
      const asked = { ...window, code, offset: offset!, limit: limit + 1 };
      const { items: rows } = await rebates.invitees(account, asked);
      const numbers = (): readonly number[] => [to!, offset! + limit];
      const page = pageOfPast(rows, limit, { item: (row) => row, numbers });
      return { items: await Promise.all(page.items.map(shownInvitee)), nextCursor: page.nextCursor };
    },
  };
}
