import type { PrivateKeyAccount } from 'viem/accounts';
import { BoundedCache } from '#base/bounded-cache.ts';
import type { DepositAddresses } from '#custody/evm/deposit-addresses.ts';
import { transferData } from '#custody/evm/erc20.ts';
import type { GasFees } from '#custody/evm/fees.ts';
import { gasLimitOf, marketFees, plainPaymentGas, replacementFees } from '#custody/evm/fees.ts';
import type { SpendingKeys } from '#custody/evm/keys.ts';
import type { EvmNode, Head } from '#custody/evm/node.ts';
import type { EvmSettings } from '#custody/evm/settings.ts';
import { signTransfer } from '#custody/evm/signing.ts';
import {
  assertSweepPays,
  assertSweepSigned,
  type SweepBounds,
  type SweepPurpose,
  type UnsignedSweep,
} from '#custody/evm/sweep-claims.ts';

/** Deposit addresses that get gas in one round. */
const topUpsMax = 20;
/** Transactions whose fees are remembered, to raise them when they wait too long. */
const feesKept = 1000;
/** Tokens at addresses that cannot be swept, whose reason is remembered, to tell of each once. */
const reasonsKept = 1000;

/** What sweeping needs. */
export interface SweepTools {
  readonly node: EvmNode;
  readonly settings: EvmSettings;
  readonly spending: SpendingKeys;
  readonly deposits: DepositAddresses;
  readonly notice: (message: string) => void;
}

/** A deposit address with something to move, by the state after the newest block. */
interface DueAddress {
  readonly account: PrivateKeyAccount;
  readonly native: bigint;
  readonly nonce: number;
  readonly tokens: readonly { readonly contract: string; readonly amount: bigint }[];
}

/** One round of sweeping: the block whose state it goes by, and what it has used up. */
interface Round {
  readonly head: Head;
  readonly market: GasFees;
  gasWallet: { readonly nonce: number; readonly balance: bigint };
  topUpCount: number;
  /** Whether the gas wallet had too little for a top-up. */
  lacksGas: boolean;
}

/**
 * Moves what deposit addresses own to the hot wallet. What is due follows from the chain alone: balances and nonces
 * after the newest block. So a round that is repeated, by a crash or otherwise, signs transactions with the nonces of
 * the first one, and at most one of each takes effect. An address has one transaction under way at a time, tokens
 * first: a token needs gas, which the gas wallet pays to the address beforehand. DEC-WAL-49.
 */
export class Sweeper {
  readonly #tools: SweepTools;
  /** By sender and nonce: since which block with which fees. After a restart the market's fees apply again. */
  readonly #sentFees = new BoundedCache<string, { readonly since: number; readonly fees: GasFees }>({
    entriesKept: feesKept,
  });
  /** By token and address: why it could not be swept when the operator was last told. */
  readonly #unswept = new BoundedCache<string, string>({ entriesKept: reasonsKept });
  /** Index at which the next round begins. */
  #next = 0;
  /** Whether the operator was told that the gas wallet has too little, and not yet that it has enough. */
  #lacksGas = false;
  readonly #bounds: SweepBounds;

  constructor(tools: SweepTools) {
    this.#tools = tools;
    const { settings, spending, deposits } = tools;
    this.#bounds = {
      hotWallet: spending.hotWallet.address.toLowerCase(),
      contracts: settings.tokens.map(({ contract }) => contract.toLowerCase()),
      settings,
      isDepositAddress: (address) => deposits.has(address, Number.POSITIVE_INFINITY),
    };
  }

  /** One round over some of the addresses with an index below `addressCount`; the next goes on behind them. */
  async sweep(addressCount: number): Promise<void> {
    const { node, settings, spending, deposits } = this.#tools;
    await deposits.derive(addressCount);
    if (this.#next >= addressCount) this.#next = 0;
    const end = Math.min(this.#next + settings.addressesPerSweep, addressCount);
    const head = await node.head();
    const market = await marketFees(node, head, settings.feeCaps);
    if (market === null) return;
    const gasAddress = spending.gasWallet.address;
    const [nonce] = await node.counts([gasAddress], head.number);
    const [balance] = await node.balances([gasAddress], head.number);
    const round: Round = {
      head,
      market,
      gasWallet: { nonce: nonce!, balance: balance! },
      topUpCount: 0,
      lacksGas: false,
    };
    for (const due of await this.#dueAddresses(this.#next, end, head)) await this.#sweepAddress(due, round);
    this.#next = end;
    this.#tellGas(round);
  }

  async #dueAddresses(from: number, to: number, head: Head): Promise<readonly DueAddress[]> {
    const { node, settings, spending, deposits } = this.#tools;
    const addresses = deposits.slice(from, to);
    const nativeFrom = settings.nativeCoin.sweepFrom;
    const natives = await node.balances(addresses, head.number);
    const tokens = addresses.map((): { contract: string; amount: bigint }[] => []);
    for (const { contract, sweepFrom } of settings.tokens) {
      if (sweepFrom === null) continue;
      const amounts = await node.tokenBalances(contract, addresses, head.number);
      amounts.forEach((amount, place) => {
        if (amount >= sweepFrom) tokens[place]!.push({ contract, amount });
      });
    }
    const isDue = (place: number) =>
      tokens[place]!.length > 0 || (nativeFrom !== null && natives[place]! >= nativeFrom);
    const places = [...addresses.keys()].filter(isDue);
    const nonces = await node.counts(
      places.map((place) => addresses[place]!),
      head.number,
    );
    return places.map((place, order) => ({
      account: spending.deposit(from + place),
      native: natives[place]!,
      nonce: nonces[order]!,
      tokens: tokens[place]!,
    }));
  }

  async #sweepAddress(due: DueAddress, round: Round): Promise<void> {
    const { node, settings, spending } = this.#tools;
    const { account, native, nonce } = due;
    const fees = this.#feesFor(account, nonce, round);
    for (const { contract, amount } of due.tokens) {
      const transfer = { to: contract, value: 0n, data: transferData(spending.hotWallet.address, amount) };
      const estimate = await node.estimateGas({ from: account.address, ...transfer }, round.head.number);
      const gas = typeof estimate === 'bigint' ? gasLimitOf(estimate) : settings.feeCaps.gasMax + 1n;
      if (gas > settings.feeCaps.gasMax) {
        const reason = typeof estimate === 'bigint' ? 'it needs too much gas' : estimate.message;
        this.#tellUnswept(contract, account.address, reason);
        continue;
      }
      this.#unswept.delete(`${contract}:${account.address}`);
      const cost = gas * fees.maxFeePerGas;
      if (native >= cost) return this.#send('sweep', account, { transfer, nonce, gas, fees });
      // Twice what it costs now: the base fee may have risen when the gas is there.
      return this.#topUp(account.address, 2n * cost - native, round);
    }
    const value = native - plainPaymentGas * fees.maxFeePerGas;
    const { sweepFrom } = settings.nativeCoin;
    if (sweepFrom === null || native < sweepFrom || value <= 0n) return;
    const transfer = { to: spending.hotWallet.address, value, data: '0x' };
    await this.#send('sweep', account, { transfer, nonce, gas: plainPaymentGas, fees });
  }

  async #topUp(address: string, value: bigint, round: Round): Promise<void> {
    const { spending } = this.#tools;
    if (round.topUpCount >= topUpsMax) return;
    const { nonce, balance } = round.gasWallet;
    const fees = this.#feesFor(spending.gasWallet, nonce, round);
    const left = balance - value - plainPaymentGas * fees.maxFeePerGas;
    if (left < 0n) {
      round.lacksGas = true;
      return;
    }
    round.topUpCount += 1;
    round.gasWallet = { nonce: nonce + 1, balance: left };
    const transfer = { to: address, value, data: '0x' };
    await this.#send('topUp', spending.gasWallet, { transfer, nonce, gas: plainPaymentGas, fees });
  }

  /** A token that cannot be swept is told of when that begins, and when the reason changes. */
  #tellUnswept(contract: string, address: string, reason: string): void {
    const key = `${contract}:${address}`;
    if (this.#unswept.get(key) === reason) return;
    this.#unswept.set(key, reason);
    this.#tools.notice(`Token ${contract} cannot be swept from ${address}: ${reason}.`);
  }

  /** Lacking gas is told of when it begins, and when a round that needs gas has enough again. */
  #tellGas({ lacksGas, topUpCount }: Round): void {
    const { spending, notice } = this.#tools;
    if (lacksGas === this.#lacksGas || (!lacksGas && topUpCount === 0)) return;
    this.#lacksGas = lacksGas;
    const how = lacksGas ? 'has too little' : 'has enough again';
    notice(`The gas wallet ${spending.gasWallet.address} ${how} for the gas of token sweeps.`);
  }

  /** The market's fees, or those that a transaction with this nonce got, raised where it waits too long. */
  #feesFor({ address }: PrivateKeyAccount, nonce: number, { head, market }: Round): GasFees {
    const { feeCaps, replaceAfterBlocks } = this.#tools.settings;
    const key = `${address}:${nonce}`;
    const sent = this.#sentFees.get(key);
    if (sent !== undefined && head.number - sent.since < replaceAfterBlocks) return sent.fees;
    const fees = sent === undefined ? market : (replacementFees(sent.fees, market, feeCaps) ?? sent.fees);
    this.#sentFees.set(key, { since: head.number, fees });
    return fees;
  }

  /** Sends what is as it must be. A node refuses what it has already; of other refusals the operator hears. */
  async #send(purpose: SweepPurpose, account: PrivateKeyAccount, asked: Omit<UnsignedSweep, 'sender'>): Promise<void> {
    const { node, settings, notice } = this.#tools;
    const { transfer, ...details } = asked;
    assertSweepPays(purpose, transfer, this.#bounds);
    const transaction = await signTransfer(account, transfer, { chainId: settings.chainId, ...details });
    await assertSweepSigned(purpose, { ...asked, sender: account.address }, transaction, this.#bounds);
    const refusal = await node.send(transaction);
    if (refusal === null) return;
    const [known] = await node.counts([account.address], 'pending');
    if (known! <= details.nonce) notice(`A sweep from ${account.address} was refused: ${refusal.message}.`);
  }
}
