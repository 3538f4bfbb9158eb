import type { Network } from '#custody/addresses/networks.ts';
import { rebateDayMs } from '#model/rebate.ts';
import type { AccountId, AssetId } from '#model/units.ts';
import type { CommandIngress } from '#sequencer/command-ingress.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import type { Participant } from '#sandbox/agents/participants.ts';
import type { RetailMarket } from '#sandbox/agents/retail-market.ts';
import { demoAccountsOf } from '#sandbox/demo-accounts.ts';
import { coins } from '#sandbox/listing.ts';
import { invitationTree, knownDemoAccount, openDemoAccounts } from '#sandbox/open-demo-accounts.ts';

/** Where deposits of a network are paid to; `null`: it has no such address, or is not simulated. */
export type AddressSource = (
  network: Network,
  index: number,
) => { readonly address: string; readonly memo: string | null } | null;

/** What lets small traders enter. */
export interface RetailEntryPorts {
  readonly submit: CommandIngress['submit'];
  readonly queries: ExchangeQueries;
  readonly seed: string;
  readonly addressOf: AddressSource;
}

/** Network of the first deposits. */
const network: Network = 'TRX';

/**
 * Lets those trade who were there `agoMs` before the market went live: invited accounts, each of which begins with a
 * deposit, and customers of the broker. An exchange that refuses a deposit leaves its account without money.
 * @throws GenesisRefused
 */
export async function enterRetail(
  ports: RetailEntryPorts,
  { retail, payers }: { readonly retail: RetailMarket; readonly payers: readonly Participant[] },
  agoMs: number,
): Promise<void> {
  const daysAgo = agoMs / rebateDayMs;
  const open = await openDemoAccounts(ports, invitationTree, daysAgo);
  const codes = demoAccountsOf('person').flatMap((person) => person.codes);
  retail.codes = codes.filter((each) => each.daysAgo >= daysAgo).map(({ code }) => code);
  for (const each of demoAccountsOf('subAccount')) {
    const known = each.isRetailTrader ? await knownDemoAccount(ports, each) : null;
    if (known !== null) retail.join(known.account);
  }
  const traders = open.flatMap(({ account, view }) =>
    account.kind === 'invitee' && account.deposit > 0 ? [{ account: view.account, usdt: account.deposit }] : [],
  );
  for (const [index, { account, usdt }] of traders.entries()) {
    retail.join(account);
    await depositFirst(ports, account, { payer: payers[index % payers.length]!.account, usdt });
  }
}

/** Pays to the account's deposit address from inside the exchange, unless it deposited before. */
async function depositFirst(
  { submit, queries, addressOf }: RetailEntryPorts,
  account: AccountId,
  { payer, usdt }: { readonly payer: AccountId; readonly usdt: number },
): Promise<void> {
  if ((await queries.rebates.invitation(account))?.firstDepositAt !== 0) return;
  const amount = coins('USDT', usdt);
  const asset = await usdtOf(queries);
  const index = (await queries.wallet.chain(network))?.addressCount ?? 0;
  const given = (await queries.wallet.depositAddress(account, network)) ?? addressOf(network, index);
  if (given === null) {
    const hasMoney = (await queries.balances(account)).length > 0;
    if (!hasMoney) await submit({ kind: 'creditFunds', account, asset, amount });
    return;
  }
  const { address, memo } = given;
  if (!('account' in given)) await submit({ kind: 'assignDepositAddress', account, network, index, address, memo });
  const request = { account: payer, asset, network, address, memo, amount, withdrawOrderId: null, remark: null };
  await submit({ kind: 'requestWithdrawal', ...request });
}

async function usdtOf(queries: ExchangeQueries): Promise<AssetId> {
  return (await queries.listing()).assets.find(({ code }) => code === 'USDT')!.id;
}
