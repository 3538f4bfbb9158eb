import type { AccountView } from '#model/account.ts';
import type { Command } from '#model/command.ts';
import type { AccountId, AssetId, Uid } from '#model/units.ts';
import { demoAccounts } from '#sandbox/demo-accounts.ts';
import { type DemoMarketPorts, submitAll } from '#sandbox/demo-market.ts';
import { coins } from '#sandbox/listing.ts';

/** A sub-account of the sandbox. DEC-SUB-76. */
interface DemoSubAccount {
  /** Name of its master among the demo accounts. */
  readonly master: 'alice' | 'broker';
  readonly name: string;
  readonly note: string;
  /** Opening balance in USDT. */
  readonly usdt: number;
  /** Whether the simulated market trades for it. */
  readonly isSimulated: boolean;
}

const customer = { master: 'broker', note: 'a customer', usdt: 20_000, isSimulated: true } as const;

/** In the order in which they are opened. */
const demoSubAccounts: readonly DemoSubAccount[] = [
  { ...customer, name: 'customerOne' },
  { ...customer, name: 'customerTwo' },
  { ...customer, name: 'customerThree' },
  { master: 'alice', name: 'aliceDesk', note: 'a desk of alice', usdt: 10_000, isSimulated: false },
];

/** A sub-account of the sandbox that is there. */
export interface OpenSubAccount {
  readonly name: string;
  readonly account: AccountId;
  readonly uid: Uid;
  readonly isSimulated: boolean;
}

/** What a master of the sandbox may have; more than it has. */
const atMost = 30;

type SubAccountPorts = Pick<DemoMarketPorts, 'submit' | 'queries' | 'seed'>;

/**
 * Opens missing sub-accounts and funds them: those of the broker by its universal transfers, so that its history of
 * transfers has rows. The wallet must be open. A master that cannot be used gets none. Answers those
 * that are there.
 * @throws GenesisRefused
 */
export async function openDemoSubAccounts(ports: SubAccountPorts): Promise<readonly OpenSubAccount[]> {
  const { submit, queries } = ports;
  const usdt = (await queries.listing()).assets.find(({ code }) => code === 'USDT')!.id;
  for (const { name, note, ...terms } of demoSubAccounts) {
    const master = await masterOf(ports, terms);
    if (master?.status !== 'normal') continue;
    const { account: owner } = master;
    if ((await queries.subAccounts.named(owner, name)) === null)
      await submitAll(submit, [{ kind: 'openSubAccount', master: owner, name, note, passwordHash: null, atMost }]);
    const { account } = (await queries.subAccounts.named(owner, name))!;
    if (await needsMoney(ports, account, terms)) await fund(ports, terms, { master: owner, account, asset: usdt });
  }
  return knownSubAccounts(ports);
}

/** Sub-accounts of the sandbox that are there, in the order in which they were opened. */
export async function knownSubAccounts(
  ports: Pick<SubAccountPorts, 'queries' | 'seed'>,
): Promise<readonly OpenSubAccount[]> {
  const found: OpenSubAccount[] = [];
  for (const { name, isSimulated, ...terms } of demoSubAccounts) {
    const master = await masterOf(ports, terms);
    const known = master === null ? null : await ports.queries.subAccounts.named(master.account, name);
    if (known !== null) found.push({ name, account: known.account, uid: known.uid, isSimulated });
  }
  return found;
}

function masterOf(
  { queries, seed }: Pick<SubAccountPorts, 'queries' | 'seed'>,
  { master }: Pick<DemoSubAccount, 'master'>,
): Promise<AccountView | null> {
  return queries.accountByUid(demoAccounts(seed).find(({ name }) => name === master)!.uid);
}

/**
 * Whether an account that owns nothing was not funded yet, or the market trades for it: people may empty theirs, which
 * get their keys last. A frozen one gets nothing.
 */
async function needsMoney(
  { queries }: SubAccountPorts,
  account: AccountId,
  { isSimulated }: Pick<DemoSubAccount, 'isSimulated'>,
): Promise<boolean> {
  if ((await queries.account(account))?.status !== 'normal') return false;
  if ((await queries.balances(account)).length > 0) return false;
  return isSimulated || (await queries.apiKeysOf(account)).length === 0;
}

/** Credits the account; a broker pays it from what it has, and is credited what it lacks. */
async function fund(
  { submit, queries }: SubAccountPorts,
  { master: nameOfMaster, usdt }: Pick<DemoSubAccount, 'master' | 'usdt'>,
  { master, account, asset }: { readonly master: AccountId; readonly account: AccountId; readonly asset: AssetId },
): Promise<void> {
  const amount = coins('USDT', usdt);
  const credit = (to: AccountId): Command => ({ kind: 'creditFunds', account: to, asset, amount });
  if (nameOfMaster !== 'broker') {
    await submitAll(submit, [credit(account)]);
    return;
  }
  if ((await queries.subAccounts.transferable(master, 'spot', asset)) < amount)
    await submitAll(submit, [credit(master)]);
  const wallets = { fromWallet: 'spot', toWallet: 'spot' } as const;
  await submitAll(submit, [
    { kind: 'makeUniversalTransfer', master, from: master, to: account, ...wallets, asset, amount, clientTranId: null },
  ]);
}
