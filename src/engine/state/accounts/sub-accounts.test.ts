import { expect, test } from 'vitest';
import type { SubAccountView } from '#model/sub-account.ts';
import type { AccountId, Uid } from '#model/units.ts';
import { as } from '#model/units.ts';
import { createEngine } from '#engine/create-engine.ts';
import { addAccount } from '#engine/accounts/new-account.ts';
import { audit } from '#engine/image/audit.ts';

const opened = { name: 'alicesdesk1', class: 'user', kycLevel: 1, simulated: false } as const;

/** A state with a sub-account whose record says what it is told to say. */
function faultsOf(changes: Partial<SubAccountView>): string[] {
  const { state } = createEngine();
  const { account: master } = addAccount(state, { ...opened, name: 'alice', uid: as<Uid>(10), master: null });
  const { account } = addAccount(state, { ...opened, uid: as<Uid>(11), master });
  const told = { account, uid: as<Uid>(11), master, name: opened.name, note: '', passwordHash: null };
  state.subAccounts.put({ ...told, isFuturesEnabled: true, openedAt: as(0), ...changes });
  return audit(state);
}

test('the audit finds a sub-account that is not the account that it says', () => {
  expect(faultsOf({})).toEqual([]);
  expect(faultsOf({ uid: as<Uid>(12) })).toHaveLength(1);
  expect(faultsOf({ name: 'another11' })).toHaveLength(1);
  expect(faultsOf({ account: as<AccountId>(99) })).toHaveLength(1);
  expect(faultsOf({ master: as<AccountId>(5) })).toHaveLength(2);
});
