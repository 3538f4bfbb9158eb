import type { Uid } from '#model/units.ts';
import type { DemoKey } from '#sandbox/demo-accounts.ts';
import { furtherDemoKeys } from '#sandbox/demo-accounts.ts';
import { inviteeUid, openDemoInvitees } from '#sandbox/demo-invitees.ts';
import { createMissingKeys, type DemoMarketPorts } from '#sandbox/demo-market.ts';
import { openDemoSubAccounts } from '#sandbox/demo-sub-accounts.ts';

/**
 * Opens everyone who belongs to a demo account, invited by it or as its sub-account, with their keys, unless they are
 * there: a sandbox that was made before there were any gets them at its next start. The demo wallet must be open.
 * Answers their keys. DEC-SUB-75, DEC-SUB-76.
 * @throws GenesisRefused
 */
export async function openDemoMembers(ports: DemoMarketPorts): Promise<readonly DemoKey[]> {
  const invitees = await openDemoInvitees(ports, 0);
  const subAccounts = await openDemoSubAccounts(ports);
  const uidOf = new Map<string, Uid>([
    ...invitees.map((each) => [each.name, inviteeUid(ports.seed, each)] as const),
    ...subAccounts.map(({ name, uid }) => [name, uid] as const),
  ]);
  const keys = furtherDemoKeys(ports.seed, uidOf);
  await createMissingKeys(ports, keys);
  return keys;
}
