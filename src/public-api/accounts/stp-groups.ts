import type { stpGroupEndpoints } from '#public-api/accounts/stp-group-endpoints.ts';
import type { AccountView } from '#model/account.ts';
import type { StpGroupView } from '#model/events.ts';
import type { AccountId, Uid } from '#model/units.ts';
import { ApiError, invalidParameter } from '#http/errors.ts';
import type { Caller, EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import type { HandlersOf } from '#public-api/handlers.ts';
import { subAccountsAtMost } from '#public-api/accounts/sub-account-keys.ts';
import { submitFor } from '#public-api/submit.ts';

const groupEntry = ({ name, group, createdAt, updatedAt }: StpGroupView) => ({
  tradeGroupName: name,
  tradeGroupId: group,
  createTime: createdAt,
  updateTime: updatedAt,
});

/**
 * Accounts of these UIDs, each the master's own or one of its sub-accounts. DEC-SUB-06.
 * @throws ApiError 140001 for any other, 33333 for more than the master can have.
 */
async function ownAccounts(
  context: GatewayContext,
  master: AccountView,
  uids: readonly number[],
): Promise<readonly AccountId[]> {
  const most = subAccountsAtMost(context, master) + 1;
  if (uids.length > most) throw invalidParameter('uid', `must hold at most ${most} UIDs`);
  const found = await Promise.all(uids.map((uid) => context.queries.accountByUid(uid as Uid)));
  return found.map((account) => {
    if (account?.master !== master.account) throw new ApiError('unknownSubAccount', { parameter: 'uid' });
    return account.account;
  });
}

interface AskedMembers {
  readonly uid: readonly number[];
  readonly tradeGroupId: number;
}

/** Members of a group are named by uids. */
const memberNames = { targetForbidden: 'uid' };

/** Handlers of groups of self-trade prevention. The engine judges whose a group is. SPEC-STP-07. */
export function stpGroupHandlers(context: GatewayContext): HandlersOf<typeof stpGroupEndpoints> {
  const add = async (
    { uid: uids, tradeGroupId: group }: AskedMembers,
    { account }: Caller,
    request: EndpointRequest,
  ) => {
    const members = await ownAccounts(context, account, uids);
    const command = { kind: 'addToStpGroup', master: account.account, group, members } as const;
    const changed = await submitFor(context, request, command, ['stpGroupChanged'], memberNames);
    return { ...groupEntry(changed.group), tradeGroupUid: uids.join(',') };
  };
  return {
    createStpGroup: async ({ tradeGroupName: name }, { account }, request) => {
      const command = { kind: 'createStpGroup', master: account.account, name } as const;
      return groupEntry((await submitFor(context, request, command, ['stpGroupChanged'])).group);
    },
    stpGroups: async ({ tradeGroupName }, { account }) => {
      const groups = await context.queries.stpGroupsOf(account.account);
      return groups
        .filter(({ name }) => name === tradeGroupName)
        .map((group) => ({ ...groupEntry(group), tradeGroupUid: group.memberUids.join(',') }));
    },
    deleteStpGroup: async ({ tradeGroupId: group }, { account }, request) => {
      const command = { kind: 'deleteStpGroup', master: account.account, group } as const;
      await submitFor(context, request, command, ['stpGroupDeleted']);
      return true;
    },
    addStpMembers: add,
    addStpMembersByGet: add,
    removeStpMembers: async ({ uid: uids, tradeGroupId: group }, { account }, request) => {
      const members = await ownAccounts(context, account, uids);
      const command = { kind: 'removeFromStpGroup', master: account.account, group, members } as const;
      await submitFor(context, request, command, ['stpGroupChanged'], memberNames);
      return true;
    },
  };
}
