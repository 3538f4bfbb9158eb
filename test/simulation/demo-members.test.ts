import { beforeAll, describe, expect, test } from 'vitest';
import { referCodeOf } from '#model/refer-code.ts';
import type { AccountView } from '#model/account.ts';
import type { AccountId } from '#model/units.ts';
import { demoAccountsOf, demoUidOf } from '#sandbox/demo-accounts.ts';
import { openDemoMembers } from '#sandbox/open-demo-accounts.ts';
import { type Sandbox, startSandbox } from './sandbox-harness.ts';

const noon = Date.UTC(2026, 10, 21, 12);
const seed = 'seed';

/** A sandbox as it was made before anybody belonged to its accounts: market and wallet are open. */
let older: Sandbox;
beforeAll(async () => {
  older = startSandbox(seed, noon);
  older.clock.set(noon);
  await older.open();
  await older.openWallet();
});

/** The next start of that sandbox. */
function nextStart(): Sandbox {
  const sandbox = startSandbox(seed, noon, older.engine);
  sandbox.clock.set(noon);
  return sandbox;
}
const demoAccount = async ({ queries }: Sandbox, name: string): Promise<AccountView> =>
  (await queries.accountByUid(demoUidOf(seed, name)))!;

describe('opening who belongs to the demo accounts', () => {
  test('DEC-SUB-75: an older sandbox gets the invitees of its affiliate, and of those whom it invited, once', async () => {
    const sandbox = nextStart();
    await openDemoMembers(sandbox.ports);
    for (const invitee of demoAccountsOf('invitee')) {
      const { account, class: opened } = await demoAccount(sandbox, invitee.name);
      const invitation = (await sandbox.queries.rebates.invitation(account))!;
      const { account: inviter } = await demoAccount(sandbox, invitee.inviter);
      expect([invitee.name, opened, invitation.code]).toEqual([
        invitee.name,
        invitee.class,
        invitee.code ?? referCodeOf(inviter),
      ]);
      expect(invitation.inviter).toBe(inviter);
      expect((await sandbox.queries.wallet.contact(account))?.email).toBe(`${invitee.name}@example.com`);
    }
    const commands = sandbox.journal.commands;
    expect(commands).toBeGreaterThan(0);
    await openDemoMembers(sandbox.ports);
    expect(sandbox.journal.commands).toBe(commands);
    expect(sandbox.faults()).toEqual([]);
  });

  test('DEC-SUB-76: it gets three funded customers of the broker and a desk of alice, with keys in demo.json', async () => {
    const sandbox = nextStart();
    const keys = await openDemoMembers(sandbox.ports);
    const named = async (master: string) => {
      const { account } = await demoAccount(sandbox, master);
      return (await sandbox.queries.subAccounts.page(account, { offset: 0, limit: 10 })).items;
    };
    const customers = await named('broker');
    expect(customers.map(({ name }) => name)).toEqual(['customerOne', 'customerTwo', 'customerThree']);
    const [desk] = await named('alice');
    for (const [{ account }, coins] of [
      ...customers.map((each) => [each, 20_000] as const),
      [desk!, 10_000] as const,
    ]) {
      expect(await sandbox.queries.balances(account)).toMatchObject([{ free: BigInt(coins) * 10n ** 9n, held: 0n }]);
    }
    expect(await sandbox.queries.balances((await demoAccount(sandbox, 'broker')).account)).toEqual([]);
    expect(keys.map(({ name, owner }) => `${name} of ${owner}`)).toEqual([
      'partner of partner',
      'invitee of invitee',
      'broker-sub of customerOne',
      'alice-desk of aliceDesk',
    ]);
    for (const { accessKey, uid, permissions } of keys) {
      const stored = await sandbox.queries.apiKey(accessKey);
      expect(stored).toMatchObject({ permissions, sealedSecret: `sealed:${uid}:32` });
      expect((await sandbox.queries.accountByUid(uid))?.account).toBe(stored?.account);
    }
  });

  test('interrupted after any command, it is completed to the same state', async () => {
    const whole = nextStart();
    await openDemoMembers(whole.ports);
    for (let limit = 0; limit < whole.journal.commands; limit += 1) {
      const sandbox = nextStart();
      let taken = 0;
      const stopped = new Error('killed');
      const opening = openDemoMembers({
        ...sandbox.ports,
        submit: (command) => {
          taken += 1;
          return taken > limit ? Promise.reject(stopped) : sandbox.sequencer.submit(command);
        },
      });
      await expect(opening).rejects.toBe(stopped);
      await openDemoMembers(sandbox.ports);
      expect(sandbox.engine.digest()).toBe(whole.engine.digest());
    }
  });

  test('a desk that was emptied stays empty, and a sandbox with a frozen customer that owns nothing starts', async () => {
    const sandbox = nextStart();
    const { account: broker } = await demoAccount(sandbox, 'broker');
    const { account: alice } = await demoAccount(sandbox, 'alice');
    await openDemoMembers(sandbox.ports);
    const wallets = { fromWallet: 'spot', toWallet: 'spot', clientTranId: null } as const;
    const asset = (await sandbox.queries.listing()).assets.find(({ code }) => code === 'USDT')!.id;
    const empty = async (master: AccountId, name: string): Promise<AccountId> => {
      const { account: from } = (await sandbox.queries.subAccounts.named(master, name))!;
      const amount = (await sandbox.queries.balances(from))[0]!.free;
      const transfer = { master, from, to: master, asset, amount, ...wallets } as const;
      await sandbox.sequencer.submit({ kind: 'makeUniversalTransfer', ...transfer });
      return from;
    };
    const desk = await empty(alice, 'aliceDesk');
    const customer = await empty(broker, 'customerTwo');
    await sandbox.sequencer.submit({ kind: 'setAccountStatus', account: customer, status: 'frozen' });
    await openDemoMembers(sandbox.ports);
    expect([await sandbox.queries.balances(desk), await sandbox.queries.balances(customer)]).toEqual([[], []]);
  });

  test('a sandbox whose alice is frozen starts, without a desk of hers', async () => {
    const sandbox = nextStart();
    const { account } = await demoAccount(sandbox, 'alice');
    await sandbox.sequencer.submit({ kind: 'setAccountStatus', account, status: 'frozen' });
    const keys = await openDemoMembers(sandbox.ports);
    expect(keys.map(({ name }) => name)).toEqual(['partner', 'invitee', 'broker-sub']);
  });
});
