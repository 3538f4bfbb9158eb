import { expect } from 'vitest';
import { canonicalAddress } from '#custody/addresses/addresses.ts';
import type { ChainPayment, NetworkCustody } from '#custody/custody.ts';
import { transferData } from '#custody/evm/erc20.ts';
import { createEvmCustody } from '#custody/evm/evm-custody.ts';
import { openKeys } from '#custody/evm/keys.ts';
import type { EvmSettings } from '#custody/evm/settings.ts';
import { usualSettings } from '#custody/evm/settings.ts';
import type { Anvil } from './anvil.ts';
import { anvilChainId, startAnvil } from './anvil.ts';
import { testTokenCode } from './test-token.ts';

/** 10^18: one ether, one test token. */
export const ether = 10n ** 18n;
/** Deposit addresses of most tests. */
export const addressCount = 5;
const seed = Uint8Array.from({ length: 32 }, (_, index) => index + 1);

/** Keys of the exchange in these tests. */
export const exchangeKeys = openKeys({ kind: 'hot', seed });
/** Extended public key of its deposit addresses, m/44'/60'/0'. */
export const exchangeXpub =
  'xpub6CLmkfS3P6qoGn8sf5EBtHjurVartLei8Xe5qTCGDzeL12s1AhBcuApz8oADipfjPm9uY2UeqnbxLZN9uM2sic3QLjFdpU7Uzc2rev1TD5i';

/** Hot wallet and gas wallet of the exchange in these tests. */
export const hotWallet = exchangeKeys.spending!.hotWallet.address;
export const gasWallet = exchangeKeys.spending!.gasWallet.address;
/** The deposit address with an index. */
export const depositAddress = (index: number): string => exchangeKeys.depositAddress(index)!;

/** A chain with a token, somebody with money on it, and custody of it. */
export interface EvmWorld {
  readonly anvil: Anvil;
  /** Somebody else with much ether and all tokens, and somebody without tokens. */
  readonly customer: string;
  readonly stranger: string;
  readonly token: string;
  readonly notices: string[];
  readonly clock: { ms: number };
  /** A new instance that knows nothing of earlier ones. */
  custody(changes?: Partial<EvmSettings>): NetworkCustody;
  /** Sends without mining; answers the transaction's hash. */
  pay(to: string, amount: bigint, from?: string): Promise<string>;
  payToken(to: string, amount: bigint, from?: string): Promise<string>;
  balance(of: string): Promise<bigint>;
  tokenBalance(of: string): Promise<bigint>;
}

const quantity = (value: bigint): string => `0x${value.toString(16)}`;

/** Starts a chain and deploys the token, in block 1. */
export async function createEvmWorld(): Promise<EvmWorld> {
  const anvil = await startAnvil();
  const [customer, stranger] = await anvil.rpc<[string, string]>('eth_accounts');
  const deployed = await anvil.rpc('eth_sendTransaction', { from: customer, data: testTokenCode, gas: '0x100000' });
  await anvil.mine();
  const receipt = await anvil.rpc<{ contractAddress: string }>('eth_getTransactionReceipt', deployed);
  const token = canonicalAddress('ETH', receipt.contractAddress)!;
  const notices: string[] = [];
  const clock = { ms: 1_000_000 };
  const settings: EvmSettings = {
    ...usualSettings,
    network: 'ETH',
    rpcUrl: anvil.url,
    chainId: anvilChainId,
    startBlock: 0,
    keys: { kind: 'hot', seed },
    nativeCoin: { perHourMax: null, sweepFrom: ether / 10n },
    tokens: [{ contract: token, perHourMax: null, sweepFrom: 10n * ether }],
    sweepConfirmations: 3,
    sweepEveryMs: 0,
    replaceAfterBlocks: 2,
    requestTimeoutMs: 5_000,
  };
  const gas = '0x30000';
  return {
    anvil,
    customer,
    stranger,
    token,
    notices,
    clock,
    custody: (changes = {}) =>
      createEvmCustody({
        settings: { ...settings, ...changes },
        clock: { now: () => clock.ms },
        notice: (message) => void notices.push(message),
      }),
    pay: (to, amount, from = customer) => anvil.rpc('eth_sendTransaction', { from, to, value: quantity(amount), gas }),
    payToken: (to, amount, from = customer) =>
      anvil.rpc('eth_sendTransaction', { from, to: token, data: transferData(to, amount), gas }),
    balance: async (of) => BigInt(await anvil.rpc('eth_getBalance', of, 'latest')),
    tokenBalance: async (of) => {
      const data = `0x70a08231${of.slice(2).padStart(64, '0')}`;
      return BigInt(await anvil.rpc('eth_call', { to: token, data }, 'latest'));
    },
  };
}

/** Observes with a new instance per question until nothing is new; answers what was seen, and the last position. */
export async function observeAll(
  world: EvmWorld,
  since: string | null = null,
): Promise<{ readonly position: string; readonly payments: readonly ChainPayment[] }> {
  const payments: ChainPayment[] = [];
  let position = since;
  for (let turn = 0; turn < 100; turn += 1) {
    const seen = await world.custody().observe({ since: position, addressCount });
    payments.push(...seen.payments);
    expect(seen.position).toMatch(/^[!-~]{1,200}$/);
    if (seen.position === position) return { position, payments };
    position = seen.position;
  }
  throw new Error('there is always something new');
}
