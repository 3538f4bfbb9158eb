import { parseDecimal } from '#base/decimal.ts';
import type { Anvil } from '../evm/anvil.ts';
import { type ChainCoin, chainUnitsPerMicro, type TestChain, withdrawalFee } from './on-chain-exchange.ts';
import type { AskedWithdrawal, PaidDeposit, WithdrawalLoad } from './withdrawal-load.ts';

/** Something that the hot wallet sent and that is in a block. */
export interface ChainPayment {
  readonly txId: string;
  readonly nonce: number;
  readonly coin: ChainCoin;
  /** In lower case. */
  readonly to: string;
  /** In the chain's smallest unit. */
  readonly amount: bigint;
  readonly succeeded: boolean;
}

/** What the blocks of a chain say. */
export interface ChainRecord {
  /** Everything that the hot wallet sent, in order. */
  readonly payments: readonly ChainPayment[];
  /** Ids of all transactions that succeeded. */
  readonly succeeded: ReadonlySet<string>;
}

interface Transaction {
  readonly hash: string;
  readonly nonce: string;
  readonly from: string;
  readonly to: string | null;
  readonly value: string;
}
interface Receipt {
  readonly status: string;
  readonly logs: readonly { readonly address: string; readonly topics: readonly string[]; readonly data: string }[];
}

/** First topic of Transfer(address,address,uint256), as the standard gives it. */
const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** Reads every block from the first. What the exchange thinks of it plays no part. */
export async function readChain({ anvil, token }: TestChain, hotWallet: string): Promise<ChainRecord> {
  const payments: ChainPayment[] = [];
  const succeeded = new Set<string>();
  const last = Number(await anvil.rpc('eth_blockNumber'));
  for (let height = 0; height <= last; height += 1) {
    const number = `0x${height.toString(16)}`;
    const { transactions } = await anvil.rpc<{ transactions: Transaction[] }>('eth_getBlockByNumber', number, true);
    for (const transaction of transactions) {
      const receipt = await anvil.rpc<Receipt>('eth_getTransactionReceipt', transaction.hash);
      if (receipt.status === '0x1') succeeded.add(transaction.hash);
      if (transaction.from === hotWallet.toLowerCase()) payments.push(...movedBy(transaction, receipt, token));
    }
  }
  return { payments, succeeded };
}

/** The movements of one transaction of the hot wallet: of tokens each that is logged, of ether the value. */
function movedBy(transaction: Transaction, receipt: Receipt, token: string): readonly ChainPayment[] {
  const { hash: txId, nonce, to, value } = transaction;
  const shared = { txId, nonce: Number(nonce), succeeded: receipt.status === '0x1' };
  const ether = { ...shared, coin: 'ETH', to: to ?? '', amount: BigInt(value) } as const;
  if (to !== token.toLowerCase()) return [ether];
  return receipt.logs
    .filter(({ address, topics }) => address === to && topics[0] === transfer)
    .map(({ topics, data }) => ({
      ...shared,
      coin: 'TST' as const,
      to: `0x${topics[2]!.slice(-40)}`,
      amount: BigInt(data),
    }));
}

/** A withdrawal as the API shows it: 7 is paid; 8, failed, and 9, cancelled, gave the money back. */
export interface WithdrawalRow {
  readonly id: string;
  readonly withdrawOrderId: string;
  readonly amount: string;
  readonly address: string;
  readonly status: number;
  readonly txId: string | null;
}
export interface DepositRow {
  readonly amount: string;
  readonly status: number;
  readonly txId: string;
}

const micros = (text: string): bigint => parseDecimal(text, 6) as bigint;

/**
 * Holds the blocks against what customers were told: a withdrawal that was acknowledged is paid once, or was given back
 * and is not paid; one that was refused is not paid; the hot wallet pays nothing else, and leaves out no nonce.
 */
export function faultsOfPayments(
  asked: readonly AskedWithdrawal[],
  rows: ReadonlyMap<string, WithdrawalRow>,
  { payments }: ChainRecord,
): readonly string[] {
  const faults: string[] = [];
  const addresses = new Set(asked.map(({ address }) => address.toLowerCase()));
  for (const { to, txId } of payments) if (!addresses.has(to)) faults.push(`nobody asked for ${txId} to ${to}`);
  payments.forEach(({ nonce, txId, succeeded }, index) => {
    if (nonce !== index) faults.push(`payment ${index} of the hot wallet, ${txId}, has the nonce ${nonce}`);
    if (!succeeded) faults.push(`${txId} did not succeed`);
  });
  for (const each of asked) {
    const { withdrawOrderId, address, outcome, id, cancel } = each;
    const paid = payments.filter(({ to }) => to === address.toLowerCase());
    const row = rows.get(withdrawOrderId);
    const name = `${withdrawOrderId} (${outcome}, cancel ${cancel}, status ${row?.status})`;
    const fails = (what: string): void => void faults.push(`${name}: ${what}`);
    if (outcome === 'acknowledged' && row?.id !== id) fails(`was answered ${id}, and is ${row?.id}`);
    if (outcome === 'refused' && row !== undefined) fails('was refused, and is there');
    const status = row?.status ?? 9;
    if (![7, 8, 9].includes(status)) fails('never ended');
    if (cancel === 'done' && status !== 9) fails('was cancelled');
    if ((cancel === 'none' || cancel === 'refused') && row?.status === 9) fails('nobody cancelled it');
    if (paid.length !== (status === 7 ? 1 : 0)) fails(`is paid ${paid.length} times`);
    for (const payment of paid) faults.push(...faultsOfPayment(each, payment, row).map((text) => `${name}: ${text}`));
  }
  return faults;
}

function faultsOfPayment(
  { micros: amount }: AskedWithdrawal,
  payment: ChainPayment,
  row: WithdrawalRow | undefined,
): readonly string[] {
  const wanted = (amount - withdrawalFee) * chainUnitsPerMicro;
  return [
    ...(payment.amount === wanted ? [] : [`${payment.amount} were paid instead of ${wanted}`]),
    ...(row?.txId === payment.txId ? [] : [`${payment.txId} paid it, and ${row?.txId} is shown`]),
  ];
}

/** Every payment from outside that is in a block is credited once, and nothing else is. */
export function faultsOfDeposits(
  paid: readonly PaidDeposit[],
  rows: readonly DepositRow[],
  { succeeded }: ChainRecord,
): readonly string[] {
  const faults: string[] = [];
  const known = new Map(paid.map((each) => [each.txId, each]));
  for (const { txId, micros: amount } of paid) {
    const credited = rows.filter((row) => row.txId === txId);
    if (!succeeded.has(txId)) faults.push(`the deposit ${txId} is in no block`);
    if (credited.length !== 1) faults.push(`the deposit ${txId} is there ${credited.length} times`);
    for (const row of credited)
      if (micros(row.amount) !== amount || row.status !== 5)
        faults.push(`${txId} is credited as ${JSON.stringify(row)}`);
  }
  for (const { txId } of rows) if (!known.has(txId)) faults.push(`nobody paid ${txId}`);
  return faults;
}

/** What all customers' histories came to. */
export interface WithdrawalResults {
  readonly faults: readonly string[];
  readonly paid: number;
  readonly refused: number;
  /** Cancelled or failed: the money went back. */
  readonly givenBack: number;
  readonly deposits: number;
}

const historyMost = 1000;

/** Reads the blocks and every customer's history and balance, and compares them. Everything has to have ended. */
export async function auditWithdrawals(
  load: WithdrawalLoad,
  chain: TestChain,
  hotWallet: string,
): Promise<WithdrawalResults> {
  const record = await readChain(chain, hotWallet);
  const faults: string[] = [];
  const rows = new Map<string, WithdrawalRow>();
  const deposits: DepositRow[] = [];
  for (const lane of load.lanes.keys()) {
    const withdrawn = await load.ask<WithdrawalRow[]>(lane, '/api/v3/capital/withdraw/history');
    const came = await load.ask<DepositRow[]>(lane, '/api/v3/capital/deposit/hisrec');
    if (Math.max(withdrawn.length, came.length) >= historyMost) faults.push(`lane ${lane} has more than is shown`);
    for (const row of withdrawn) {
      if (rows.has(row.withdrawOrderId)) faults.push(`${row.withdrawOrderId} is there twice`);
      rows.set(row.withdrawOrderId, row);
    }
    deposits.push(...came);
    const sum = (amounts: readonly { readonly amount: string }[]): bigint =>
      amounts.reduce((total, { amount }) => total + micros(amount), 0n);
    const owned = sum(came) - sum(withdrawn.filter(({ status }) => status === 7));
    const { free, locked } = await load.balanceOf(lane);
    if (free !== owned || locked !== 0n)
      faults.push(`lane ${lane} has ${free} and ${locked}, and should have ${owned}`);
  }
  faults.push(...faultsOfPayments(load.asked, rows, record), ...faultsOfDeposits(load.paid, deposits, record));
  const ended = [...rows.values()];
  return {
    faults,
    paid: ended.filter(({ status }) => status === 7).length,
    refused: load.asked.filter(({ outcome }) => outcome === 'refused').length,
    givenBack: ended.filter(({ status }) => status === 8 || status === 9).length,
    deposits: deposits.length,
  };
}

/** Mines blocks, one after the other, until it is over. */
export async function mineUntil(anvil: Anvil, isOver: () => boolean, everyMs: number): Promise<void> {
  while (!isOver()) {
    await anvil.mine();
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
