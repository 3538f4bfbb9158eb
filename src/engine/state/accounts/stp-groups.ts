import type { ByteReader, ByteWriter } from '#base/bytes.ts';
import { integer, list, record, text, time, type ValueOf } from '#model/codec/field-codec.ts';
import type { AccountId } from '#model/units.ts';
import type { AccountTable } from '#engine/state/accounts/account-table.ts';
import { RecordTable } from '#engine/state/state-table.ts';

/** A self-trade-prevention group: accounts of one master that do not trade with each other. */
export const stpGroup = record({
  group: integer(),
  master: integer<AccountId>(),
  name: text(),
  /** In the order in which they joined. */
  members: list(integer<AccountId>()),
  createdAt: time(),
  updatedAt: time(),
});
/** Changed in place. */
export type StpGroup = { -readonly [Name in keyof Shape]: Shape[Name] };
type Shape = ValueOf<typeof stpGroup>;

/** Self-trade-prevention groups: which accounts count as one trader. DEC-ORD-20. */
export class StpGroups extends RecordTable<StpGroup> {
  readonly name = 'stpGroups';
  /** By id; ids are never reused. */
  readonly groups = new Map<number, StpGroup>();
  /** The last id that was given. */
  lastGroup = 0;
  private readonly accounts: AccountTable;
  private readonly groupsOfMaster = new Map<AccountId, number[]>();
  private readonly groupsOfMember = new Map<AccountId, number[]>();

  /** What matching reads is copied to the records of the accounts. */
  constructor(accounts: AccountTable) {
    super(stpGroup);
    this.accounts = accounts;
  }

  ofMaster(master: AccountId): readonly StpGroup[] {
    return (this.groupsOfMaster.get(master) ?? []).map((id) => this.groups.get(id)!);
  }

  hasAny(master: AccountId): boolean {
    return this.accounts.groupsOwned(master) > 0;
  }

  /** Whether two different accounts are members of one group. */
  together(first: AccountId, second: AccountId): boolean {
    const own = this.accounts.groupOfMember(first);
    const other = this.accounts.groupOfMember(second);
    if (own === 0 || other === 0) return false;
    return own > 0 && other > 0 ? own === other : this.shareOne(first, second);
  }

  /** By id. */
  all(): readonly StpGroup[] {
    return [...this.groups.values()].sort((first, second) => first.group - second.group);
  }

  put(group: StpGroup): void {
    this.groups.set(group.group, group);
    this.lastGroup = Math.max(this.lastGroup, group.group);
    append(this.groupsOfMaster, group.master, group.group);
    for (const member of group.members) append(this.groupsOfMember, member, group.group);
    this.mirror(group.master, group.members);
  }

  delete(group: StpGroup): void {
    this.groups.delete(group.group);
    drop(this.groupsOfMaster, group.master, group.group);
    for (const member of group.members) drop(this.groupsOfMember, member, group.group);
    this.mirror(group.master, group.members);
  }

  join(group: StpGroup, member: AccountId): void {
    if (group.members.includes(member)) return;
    group.members = [...group.members, member];
    append(this.groupsOfMember, member, group.group);
    this.mirror(group.master, [member]);
  }

  leave(group: StpGroup, member: AccountId): void {
    if (!group.members.includes(member)) return;
    group.members = group.members.filter((other) => other !== member);
    drop(this.groupsOfMember, member, group.group);
    this.mirror(group.master, [member]);
  }

  override write(writer: ByteWriter): void {
    writer.varint(this.lastGroup);
    super.write(writer);
  }

  override read(reader: ByteReader): void {
    const last = reader.varint();
    super.read(reader);
    this.lastGroup = last;
  }

  private shareOne(first: AccountId, second: AccountId): boolean {
    const others = this.groupsOfMember.get(second)!;
    return this.groupsOfMember.get(first)!.some((group) => others.includes(group));
  }

  private mirror(master: AccountId, members: readonly AccountId[]): void {
    this.accounts.setGroupsOwned(master, this.groupsOfMaster.get(master)?.length ?? 0);
    for (const member of members) {
      const groups = this.groupsOfMember.get(member) ?? [];
      this.accounts.setGroupOfMember(member, groups.length > 1 ? -1 : (groups[0] ?? 0));
    }
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
