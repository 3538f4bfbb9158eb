import type { StpGroupView } from '#model/events.ts';
import { engineLimits } from '#model/limits.ts';
import type { AccountId } from '#model/units.ts';
import type { StpGroup } from '#engine/state/accounts/stp-groups.ts';
import { refuse, type CommandFunction } from '#engine/money/command-function.ts';
import type { EngineState } from '#engine/state/state.ts';

/** A group as its master sees it. */
export function viewGroup(state: EngineState, group: StpGroup): StpGroupView {
  return {
    group: group.group,
    master: group.master,
    name: group.name,
    members: [...group.members],
    memberUids: group.members.map((member) => state.accounts.get(member)!.uid),
    createdAt: group.createdAt,
    updatedAt: group.updatedAt,
  };
}

export const createStpGroup: CommandFunction<'createStpGroup'> = (state, { master, name }) => {
  const own = state.stpGroups.ofMaster(master);
  if (!state.accounts.isMaster(master)) refuse(state, 'unknownAccount');
  else if (own.some((group) => group.name === name)) refuse(state, 'groupNameInUse');
  else if (own.length >= engineLimits.stpGroupsPerMaster) refuse(state, 'tooManyGroups');
  else {
    const group: StpGroup = {
      group: state.stpGroups.lastGroup + 1,
      master,
      name,
      members: [],
      createdAt: state.at,
      updatedAt: state.at,
    };
    state.stpGroups.put(group);
    state.emit.fact({ kind: 'stpGroupChanged', group: viewGroup(state, group) });
  }
};

export const deleteStpGroup: CommandFunction<'deleteStpGroup'> = (state, command) => {
  const group = ownGroup(state, command.master, command.group);
  if (group === null) return;
  state.stpGroups.delete(group);
  state.emit.fact({ kind: 'stpGroupDeleted', master: command.master, group: command.group });
};

export const addToStpGroup: CommandFunction<'addToStpGroup'> = (state, command) =>
  changeMembers(state, command.master, command.group, command.members, (group, member) =>
    state.stpGroups.join(group, member),
  );

export const removeFromStpGroup: CommandFunction<'removeFromStpGroup'> = (state, command) =>
  changeMembers(state, command.master, command.group, command.members, (group, member) =>
    state.stpGroups.leave(group, member),
  );

function changeMembers(
  state: EngineState,
  master: AccountId,
  id: number,
  members: readonly AccountId[],
  apply: (group: StpGroup, member: AccountId) => void,
): void {
  const group = ownGroup(state, master, id);
  if (group === null) return;
  if (members.some((member) => !state.accounts.isUser(member) || state.accounts.master(member) !== master)) {
    refuse(state, 'notOfThisMaster');
    return;
  }
  if (members.some((member) => member !== master && state.accounts.isUnusable(member))) {
    refuse(state, 'targetForbidden');
    return;
  }
  for (const member of members) apply(group, member);
  group.updatedAt = state.at;
  state.emit.fact({ kind: 'stpGroupChanged', group: viewGroup(state, group) });
}

function ownGroup(state: EngineState, master: AccountId, id: number): StpGroup | null {
  const group = state.stpGroups.groups.get(id);
  if (group !== undefined && group.master === master) return group;
  refuse(state, 'unknownGroup');
  return null;
}
