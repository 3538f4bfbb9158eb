import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatDecimal } from '#base/decimal.ts';
import { canonicalAddress } from '#custody/addresses/addresses.ts';
import { transferData } from '#custody/evm/erc20.ts';
import { type Anvil, anvilChainId, startAnvil } from '../evm/anvil.ts';
import { testTokenCode } from '../evm/test-token.ts';
import type { ClusterProcesses } from './cluster-processes.ts';
import { type Ask, listPair, operatorAt, type Trader } from './exchange-set-up.ts';

/** Coins that are deposited and withdrawn. Amounts are in millionths of a coin here. */
export const chainCoins = ['ETH', 'TST'] as const;
export type ChainCoin = (typeof chainCoins)[number];

/** Fee of each withdrawal, which is inside its amount; and the least that can be withdrawn. */
export const withdrawalFee = 1000n;
export const withdrawalMin = 10_000n;

/** Smallest units of the chain in a millionth of a coin. */
export const chainUnitsPerMicro = 10n ** 12n;

/** Millionths of a coin as text. */
export const coinText = (micros: bigint): string => formatDecimal(micros, 6);

/** A chain that mines when it is told to, with a token, and somebody who has much of both coins. */
export interface TestChain {
  readonly anvil: Anvil;
  readonly token: string;
  /** Sends from outside; answers the id of the transaction. */
  pay(coin: ChainCoin, to: string, micros: bigint): Promise<string>;
}

/** Starts the chain, with the token in block 1. */
export async function startTestChain(): Promise<TestChain> {
  const anvil = await startAnvil();
  const [from] = await anvil.rpc<[string]>('eth_accounts');
  const deployed = await anvil.rpc('eth_sendTransaction', { from, data: testTokenCode, gas: '0x100000' });
  await anvil.mine();
  const receipt = await anvil.rpc<{ contractAddress: string }>('eth_getTransactionReceipt', deployed);
  const token = canonicalAddress('ETH', receipt.contractAddress)!;
  const gas = '0x30000';
  // One after the other: each takes the next nonce.
  let sent: Promise<unknown> = Promise.resolve();
  const pay = (coin: ChainCoin, to: string, micros: bigint): Promise<string> => {
    const amount = micros * chainUnitsPerMicro;
    const native = { from, to, value: `0x${amount.toString(16)}`, gas };
    const call = coin === 'ETH' ? native : { from, to: token, data: transferData(to, amount), gas };
    const sending = sent.then(() => anvil.rpc('eth_sendTransaction', call));
    sent = sending.catch(() => {});
    return sending;
  };
  return { anvil, token, pay };
}

/** Where the custody file of all nodes is. */
export const custodyFileIn = (folder: string): string => join(folder, 'custody.json');

/** What an exchange on a chain begins with. */
export interface OnChainExchange {
  readonly hotWallet: string;
  readonly customers: readonly Trader[];
}

/** What it is made of. */
export interface OnChainParts {
  readonly cluster: ClusterProcesses;
  readonly chain: TestChain;
  /** Where the nodes ask the chain. */
  readonly rpcUrl: string;
  readonly folder: string;
  readonly operatorToken: string;
  readonly customers: number;
}

/** Makes the seed, the custody file and the exchange; the hot wallet and the gas wallet are funded and booked. */
export async function foundOnChain(parts: OnChainParts): Promise<OnChainExchange> {
  const { cluster, chain, rpcUrl, folder, operatorToken } = parts;
  const seedFile = join(folder, 'eth.seed');
  const seed = ['custody', 'new-seed', '--profile', 'production', '--network', 'ETH', '--out', seedFile];
  const printed = await cluster.bourse(seed);
  const walletOf = (name: string): string => new RegExp(`${name} .* (0x\\w{40})$`, 'm').exec(printed)![1]!;
  const hotWallet = walletOf('hot wallet');
  writeFileSync(custodyFileIn(folder), JSON.stringify({ networks: [networkOf(chain, rpcUrl, seedFile)] }));
  await chain.pay('ETH', hotWallet, funds.hot);
  await chain.pay('TST', hotWallet, funds.hot);
  await chain.pay('ETH', walletOf('gas wallet'), funds.gas);
  await chain.anvil.mine();
  const customers = await cluster.foundBy(async (url) => {
    const ask = operatorAt(url, operatorToken);
    await listPair(ask);
    await listCoins(ask, chain);
    return Promise.all(Array.from({ length: parts.customers }, (_, index) => openCustomer(ask, index)));
  });
  return { hotWallet, customers };
}

const funds = { hot: 500_000_000n, gas: 20_000_000n } as const;

/** Limits and sweeps as of a real exchange: both have to go on at another node. */
function networkOf({ token }: TestChain, rpcUrl: string, seedFile: string): object {
  const coin = { perHourMax: (10n ** 23n).toString(), sweepFrom: (4n * 10n ** 18n).toString() };
  return {
    ...{ kind: 'evm', network: 'ETH', rpcUrl, chainId: anvilChainId, startBlock: 0, keys: { kind: 'hot', seedFile } },
    ...{ nativeCoin: coin, tokens: [{ contract: token, ...coin }] },
    ...{ sweepConfirmations: 3, sweepEveryMs: 1000, replaceAfterBlocks: 5, requestTimeoutMs: 3000 },
  };
}

async function listCoins(ask: Ask, { token }: TestChain): Promise<void> {
  const rules = await ask<object>('GET', '/v1/wallet/rules');
  await ask('PUT', '/v1/wallet/rules', { ...rules, waitMs: 0 });
  const names = { ETH: { fullName: 'Ether', scale: 9 }, TST: { fullName: 'Test token', scale: 6 } } as const;
  for (const [index, code] of chainCoins.entries()) {
    await ask('PUT', `/v1/assets/${code}`, { ...names[code], cap: '1000000', coinId: `${index + 1}`.repeat(32) });
    await ask('PUT', `/v1/assets/${code}/networks/ETH`, {
      ...{ label: 'Ethereum', contract: code === 'ETH' ? null : token, chainScale: 18, sharesAddress: false },
      ...{ depositEnabled: true, withdrawEnabled: true, minConfirm: 3, depositMin: '0.001' },
      ...{ withdrawFee: coinText(withdrawalFee), withdrawMin: coinText(withdrawalMin), withdrawMax: '1000' },
      ...{ withdrawStep: '0.000001', depositDesc: null, depositTips: null, withdrawTips: null },
    });
    const price = { price: '1', validHours: 24, reason: 'Nobody trades it here.' };
    await ask('PUT', `/v1/prices/${code}/reference`, price);
    const capital = { house: 'capital', asset: code, amount: coinText(funds.hot), kind: 'capitalIn' };
    await ask('POST', '/v1/adjustments', { ...capital, reason: 'What the hot wallet begins with.' });
  }
  const gas = { house: 'gas', asset: 'ETH', amount: coinText(funds.gas), kind: 'capitalIn' };
  await ask('POST', '/v1/adjustments', { ...gas, reason: 'What the gas wallet begins with.' });
}

async function openCustomer(ask: Ask, index: number): Promise<Trader> {
  const { uid } = await ask<{ uid: number }>('POST', '/v1/accounts', { name: `customer ${index}`, kycLevel: 4 });
  const permissions = ['SPOT_ACCOUNT_READ', 'SPOT_WITHDRAW_READ', 'SPOT_WITHDRAW_WRITE'];
  const key = await ask<{ accessKey: string; secretKey: string }>('POST', `/v1/accounts/${uid}/api-keys`, {
    ...{ note: 'withdraws', permissions, ips: [] },
  });
  return { uid, apiKey: key.accessKey, secretKey: key.secretKey };
}
