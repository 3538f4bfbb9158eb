import type { AccountId, TimestampMs } from '#domain/units.ts';

/** Accounts of one master that do not trade with each other. */
export interface StpGroup {
  readonly group: number;
  readonly master: AccountId;
  readonly name: string;
  /** In the order in which they joined. */
  members: AccountId[];
  readonly createdAt: TimestampMs;
  updatedAt: TimestampMs;
}

/** Self-trade-prevention groups: who counts as one trader. Document 2, STP strategy groups. */
export class StpGroups {
  /** By id; ids are never used again. */
  readonly groups = new Map<number, StpGroup>();
  lastGroup = 0;
  private readonly groupsOfMaster = new Map<AccountId, number[]>();
  private readonly groupsOfMember = new Map<AccountId, number[]>();

  ofMaster(master: AccountId): readonly StpGroup[] {
    return (this.groupsOfMaster.get(master) ?? []).map((id) => this.groups.get(id)!);
  }

  hasAny(master: AccountId): boolean {
    return this.groupsOfMaster.size > 0 && this.groupsOfMaster.has(master);
  }

  /** Whether two different accounts stand in one group. */
  together(first: AccountId, second: AccountId): boolean {
    const own = this.groupsOfMember.get(first);
    const others = own === undefined ? undefined : this.groupsOfMember.get(second);
    return others !== undefined && own!.some((group) => others.includes(group));
  }

  put(group: StpGroup): void {
    this.groups.set(group.group, group);
    this.lastGroup = Math.max(this.lastGroup, group.group);
    append(this.groupsOfMaster, group.master, group.group);
    for (const member of group.members) append(this.groupsOfMember, member, group.group);
  }

  delete(group: StpGroup): void {
    this.groups.delete(group.group);
    drop(this.groupsOfMaster, group.master, group.group);
    for (const member of group.members) drop(this.groupsOfMember, member, group.group);
  }

  join(group: StpGroup, member: AccountId): void {
    if (group.members.includes(member)) return;
    group.members.push(member);
    append(this.groupsOfMember, member, group.group);
  }

  leave(group: StpGroup, member: AccountId): void {
    if (!group.members.includes(member)) return;
    group.members = group.members.filter((other) => other !== member);
    drop(this.groupsOfMember, member, group.group);
  }
}

function append(index: Map<AccountId, number[]>, key: AccountId, group: number): void {
  const list = index.get(key);
  if (list === undefined) index.set(key, [group]);
  else list.push(group);
}

function drop(index: Map<AccountId, number[]>, key: AccountId, group: number): void {
  const rest = (index.get(key) ?? []).filter((other) => other !== group);
  if (rest.length === 0) index.delete(key);
  else index.set(key, rest);
}
