import { join } from 'node:path';
import { formatDecimal, parseDecimal } from '#base/decimal.ts';
import { noopSink } from '#model/event-record.ts';
import { nodeChainStorage } from '#custody/simulated/node-chain-storage.ts';
import { openSimulatedCustody } from '#custody/simulated/simulated-custody.ts';
import { createEngine } from '#engine/create-engine.ts';
import { openJournalReader } from '#journal/journal-reader.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { layoutOf } from '#main/storage/data-directory.ts';
import { demoBlockMs } from '#sandbox/wallet-listing.ts';
import { exchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import { replay } from '#sequencer/recovery.ts';
import { reconcile } from '#custody/settlement/reconcile.ts';
import { OperatorClient } from './operator-client.ts';
import type { ServerProcess } from './server-process.ts';
import { TradingClient } from './trading-client.ts';
import { type Asked, depositors, type Depositor, loadedNetworks, type Paid, type WalletLoad } from './wallet-load.ts';

/** Finer than every asset counts. */
const scale = 18;
/** With what the accounts of the sandbox begin. */
const openings: Readonly<Record<string, string>> = { USDT: '1000000', BTC: '20', TRX: '500000', XRP: '100000' };
const endedAs: Readonly<Record<number, string>> = { 7: 'success', 8: 'failed', 9: 'cancelled' };

interface WithdrawalRow {
  readonly id: string;
  readonly withdrawOrderId: string;
  readonly coin: string;
  readonly amount: string;
  readonly status: number;
  readonly txId: string | null;
}
interface DepositRow {
  readonly coin: string;
  readonly amount: string;
  readonly status: number;
  readonly txId: string;
}

const units = (amount: string): bigint => parseDecimal(amount, scale) as bigint;

/** Compares what the exchange tells, after everything has ended, with what was asked of it. */
export async function compareWallet(
  server: ServerProcess,
  load: WalletLoad,
): Promise<{ readonly faults: string[]; readonly ended: Record<string, number> }> {
  const faults: string[] = [];
  const ended: Record<string, number> = {};
  const txIds: string[] = [];
  for (const person of depositors) {
    const client = new TradingClient(server.demo, person);
    const ask = async <Answer>(path: string): Promise<Answer> =>
      (await client.call('GET', `/api/v3/${path}`, {}))?.body as Answer;
    const withdrawals = await ask<WithdrawalRow[]>('capital/withdraw/history');
    const deposits = await ask<DepositRow[]>('capital/deposit/hisrec');
    const asked = load.asked.filter((each) => each.person === person);
    const paid = load.paid.filter((each) => each.person === person);
    faults.push(...withdrawalFaults(asked, withdrawals), ...depositFaults(paid, deposits));
    for (const { status } of withdrawals) ended[endedAs[status]!] = (ended[endedAs[status]!] ?? 0) + 1;
    txIds.push(...withdrawals.flatMap(({ txId, status }) => (status === 7 ? [String(txId)] : [])));
    const { balances } = await ask<{ balances: { asset: string; free: string; locked: string }[] }>('account');
    faults.push(...balanceFaults(person, balances, withdrawals, deposits));
    client.close();
  }
  if (new Set(txIds).size !== txIds.length) faults.push('two withdrawals were paid by one transaction');
  const { items } = await new OperatorClient(server.demo).must<{ items: { asset: string; sum: string }[] }>(
    'GET',
    '/v1/ledger/trial-balance',
  );
  for (const { asset, sum } of items) if (sum !== '0') faults.push(`the trial balance of ${asset} is ${sum}`);
  return { faults, ended };
}

/** Every withdrawal is there once, under the id that was answered, and ended as it may. */
function withdrawalFaults(asked: readonly Asked[], rows: readonly WithdrawalRow[]): string[] {
  const faults: string[] = [];
  for (const { terms, id, cancel } of asked) {
    const found = rows.filter((row) => row.withdrawOrderId === terms.withdrawOrderId);
    const [row] = found;
    const name = `${terms.withdrawOrderId} (${id})`;
    if (found.length !== 1 || row === undefined) {
      faults.push(`${name} is there ${found.length} times`);
      continue;
    }
    if (row.id !== id || row.amount !== terms['amount']?.replace(/0+$/, ''))
      faults.push(`${name} is now ${JSON.stringify(row)}`);
    const mayEnd = { none: [7], done: [9], unknown: [7, 9] }[cancel];
    if (!mayEnd.includes(row.status)) faults.push(`${name} ended in ${row.status}, its cancel ${cancel}`);
    if ((row.status === 7) !== (row.txId !== null)) faults.push(`${name} in ${row.status} has transaction ${row.txId}`);
  }
  if (rows.length !== asked.length) faults.push(`${rows.length} withdrawals for ${asked.length} requests`);
  return faults;
}

/** Every payment is credited once, but what a reorganisation lost; nothing else is. */
function depositFaults(paid: readonly Paid[], rows: readonly DepositRow[]): string[] {
  const faults: string[] = [];
  const expected = new Map(paid.map((each) => [each.amount.replace(/0+$/, ''), each]));
  for (const row of rows) {
    const payment = expected.get(row.amount);
    if (payment === undefined || (payment.txId !== null && payment.txId !== row.txId))
      faults.push(`nobody paid ${JSON.stringify(row)}, or it is there twice`);
    if (row.status !== 5) faults.push(`${row.txId} is in ${row.status}`);
    expected.delete(row.amount);
  }
  for (const { txId, amount, network, mayBeLost } of expected.values())
    if (txId !== null && !mayBeLost) faults.push(`${amount} in ${txId} on ${network} was never credited`);
  return faults;
}

/** Free is what was there, and came, less what went; nothing is held. */
function balanceFaults(
  person: Depositor,
  balances: readonly { readonly asset: string; readonly free: string; readonly locked: string }[],
  withdrawals: readonly WithdrawalRow[],
  deposits: readonly DepositRow[],
): string[] {
  return loadedNetworks.flatMap(({ coin }) => {
    const ofCoin = <Row extends { readonly coin: string }>(row: Row): boolean => row.coin === coin;
    const came = deposits.filter(ofCoin).reduce((sum, { amount }) => sum + units(amount), 0n);
    const went = withdrawals
      .filter((row) => ofCoin(row) && row.status === 7)
      .reduce((sum, { amount }) => sum + units(amount), 0n);
    const expected = formatDecimal(units(openings[coin]!) + came - went, scale);
    const found = balances.find(({ asset }) => asset === coin);
    if (found?.free === expected && found.locked === '0') return [];
    return [`${person} owns ${found?.free} and ${found?.locked} ${coin}, and should own ${expected}`];
  });
}

/** What the ledger of a stopped exchange says of each asset and its chains do not, or the other way round. */
export async function differencesOf(data: string): Promise<string[]> {
  const engine = createEngine();
  await replay(engine, await openJournalReader(nodeFileOperations, layoutOf(data).journal), noopSink, () => {});
  const clock = { now: () => engine.at as number };
  const storage = nodeChainStorage(join(data, 'simulated-chain.jsonl'));
  const simulated = await openSimulatedCustody({ storage, seed: '7', clock, blockMs: demoBlockMs });
  try {
    const assets = await reconcile(exchangeQueries(engine), simulated.custody);
    return assets
      .filter(({ difference, isComplete }) => difference !== 0n || !isComplete)
      .map(({ asset, expected, inCustody }) => `custody has ${inCustody} ${asset.code} and should have ${expected}`);
  } finally {
    await simulated.close();
  }
}
