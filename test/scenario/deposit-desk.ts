import type { AccountStatus } from '#model/account.ts';
import type { Command } from '#model/command.ts';
import { createEventRecorder, type Event } from '#model/event-record.ts';
import type { OrderRequest } from '#model/order.ts';
import type { AccountId } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { AssetNetwork, DepositDecision, DepositStatus, DepositView, WalletRules } from '#model/wallet.ts';
import { audit } from '#engine/image/audit.ts';
import { createEngine, restoreEngine, type StateMachine } from '#engine/create-engine.ts';
import { listingOf } from '../permissive-listing.ts';
import { seenWith } from '../chain-sight.ts';

/** Assets by id: what is valued in, what has a price, what has a memo. */
export const usd = 0;
export const coin = 1;
export const tagged = 2;
export const assetCap = 1_000_000n;
export const alice = 4;
export const bob = 5;
/** Ledger accounts of the house. */
export const outside = 0;
export const chainLosses = 2 ** 27 + 2;
export const dayMs = 86_400_000;

type Report = Extract<Command, { kind: 'reportDeposit' }>;
type PayBack = Extract<Command, { kind: 'payBackDeposit' }>;

/** Terms of an asset on its network: 3 confirmations, from 100 units on. */
export const networkOf = (asset: number, changes: Partial<AssetNetwork> = {}): AssetNetwork => ({
  asset: as(asset),
  network: asset === tagged ? 'TAG' : 'NET',
  label: 'Network',
  contract: asset === coin ? '0xc0' : null,
  scale: 6,
  depositEnabled: true,
  withdrawEnabled: true,
  minConfirm: 3,
  depositMin: as(100n),
  withdrawFee: as(1n),
  withdrawMin: as(2n),
  withdrawMax: as(1000n),
  withdrawStep: as(1n),
  sharesAddress: asset === tagged,
  depositDesc: null,
  depositTips: null,
  withdrawTips: null,
  ...changes,
});

const walletRules: WalletRules = {
  valuedIn: as(usd),
  largeDeposit: as(50_000n),
  dailyCaps: [as(1n), as(2n), as(3n), as(4n)],
  riskHoldAbove: null,
  fourEyesAbove: null,
  adjustFourEyesAbove: null,
  newAddressDelayMs: 0,
  waitMs: 0,
  transferable: [as(usd)],
  dustBelow: as(1n),
  dustCallMax: as(1n),
  dustFeePpm: 0,
};

/**
 * An exchange with two accounts that have addresses, and words for what its chains do. A COIN and a TAGGED are worth a
 * thousandth of a USD each.
 */
export class DepositDesk {
  engine: StateMachine = createEngine();
  at = 1_700_000_000_000;
  creditsSmall = true;

  constructor() {
    for (const code of ['USD', 'COIN', 'TAGGED']) {
      const asset = { code, fullName: code, scale: 2, cap: as<AssetCap>(assetCap), coinId: '0'.repeat(32) };
      this.run({ kind: 'configureAsset', asset });
    }
    const pair = { name: 'COINUSD', base: as<AssetNetwork['asset']>(coin), quote: as<AssetNetwork['asset']>(usd) };
    this.run({
      kind: 'configureSymbol',
      symbol: listingOf({ ...pair, priceDecimals: 0, quantityDecimals: 2, makerFeePpm: 0, takerFeePpm: 0 }),
    });
    for (const id of [alice, bob]) {
      const shape = { master: null, class: 'user', kycLevel: 1, simulated: false } as const;
      this.run({ kind: 'openAccount', uid: as(10_000_000 + id), name: `user${id}`, ...shape });
    }
    this.run({ kind: 'configureWallet', rules: walletRules });
    for (const asset of [coin, tagged]) this.price(asset, 1);
    for (const asset of [usd, coin, tagged]) this.configure(asset);
    for (const [index, account] of [alice, bob].entries()) {
      const place = { kind: 'assignDepositAddress', account: as<AccountId>(account), index } as const;
      this.run({ ...place, network: 'NET', address: `0x${account}`, memo: null });
      this.run({ ...place, network: 'TAG', address: 'shared', memo: String(account) });
    }
  }

  /** Applies a command and answers its events. */
  run(command: Command): Event[] {
    const recorder = createEventRecorder();
    this.engine.apply({ seq: as(this.engine.seq + 1), epoch: as(0), at: as(this.at), command }, recorder);
    return recorder.events;
  }

  configure(asset: number, changes: Partial<AssetNetwork> = {}): Event[] {
    return this.run({ kind: 'configureAssetNetwork', network: networkOf(asset, changes) });
  }

  /**
   * Reports a payment to alice of 200 USD units unless said otherwise. As settlement does, small deposits are tried
   * together afterwards, unless `creditsSmall` is off.
   */
  report(txId: string, confirmations: number, changes: Partial<Report> = {}): Event[] {
    const command: Report = {
      kind: 'reportDeposit',
      network: 'NET',
      txId,
      output: 0,
      asset: as(usd),
      address: `0x${alice}`,
      memo: null,
      amount: as(200n),
      sight: seenWith(confirmations, this.forks(changes.network ?? 'NET')),
      ...changes,
    };
    const events = this.run(command);
    const known = this.engine.state.deposits
      .all()
      .find((each) => each.txId === txId && each.network === command.network);
    if (!this.creditsSmall || known?.status !== 'small') return events;
    const credited = this.creditSmall(known.account, known.asset);
    return refusals(credited).length > 0 ? events : [...events, ...credited];
  }

  /** Forks of a network that were recorded. */
  forks(network: string): number {
    return this.engine.state.chains.get(network)?.forks ?? 0;
  }

  /** Custody is asked for all small deposits of an account, and the engine told. */
  creditSmall(account: number = alice, asset: number = usd): Event[] {
    const { network } = networkOf(asset);
    const small = this.engine.state.deposits
      .all()
      .filter((each) => each.status === 'small' && each.account === account && each.asset === asset);
    const height = Math.min(...small.map(({ block, confirmations }) => block!.height + confirmations - 1));
    const deposits = small.map(({ deposit }) => deposit);
    return this.run({ kind: 'creditSmallDeposits', network, forks: this.forks(network), height, deposits });
  }

  removal(txId: string, network = 'NET', newer = 0): Event[] {
    return this.run({ kind: 'removeDeposit', network, txId, output: 0, forks: this.forks(network) + newer });
  }

  review(deposit: number, decision: DepositDecision, account: number | null = null): Event[] {
    const known = this.engine.state.deposits.get(deposit);
    const sight = seenWith(known?.confirmations ?? 0, this.forks(known?.network ?? 'NET'));
    return this.run({ kind: 'reviewDeposit', deposit, decision, account: as(account as number), sight });
  }

  /** Has a deposit paid back to the payer, unless said otherwise. */
  payBack(deposit: number, changes: Partial<PayBack> = {}): Event[] {
    const known = this.engine.state.deposits.get(deposit);
    const sight = seenWith(known?.confirmations ?? 0, this.forks(known?.network ?? 'NET'));
    return this.run({ kind: 'payBackDeposit', deposit, address: 'payer', memo: null, sight, ...changes });
  }

  cancelRefund(deposit: number): Event[] {
    return this.run({ kind: 'cancelRefund', deposit });
  }

  setStatus(account: number, status: AccountStatus): void {
    this.run({ kind: 'setAccountStatus', account: as(account), status });
  }

  /** The live deposit of a transaction. */
  deposit(txId: string): DepositView | null {
    return this.engine.state.deposits.all().find((deposit) => deposit.txId === txId) ?? null;
  }

  statusOf(txId: string): DepositStatus | 'none' {
    return this.deposit(txId)?.status ?? 'none';
  }

  accountStatus(account: number): string {
    return this.engine.state.accounts.get(as(account))!.status;
  }

  balance(account: number, asset: number = usd): bigint {
    const { balances } = this.engine.state.ledger;
    const row = balances.find(account, asset);
    return row < 0 ? 0n : balances.free.get(row) + balances.held.get(row);
  }

  /** What rules take a whole coin to be worth, in thousandths of a USD. */
  price(asset: number, thousandths: number): Event[] {
    const price = { asset: as<AssetNetwork['asset']>(asset), digits: as<AssetCap>(BigInt(thousandths)), decimals: 3 };
    return this.run({ kind: 'setReferencePrice', ...price, validMs: 10 ** 12, reason: 'test' });
  }

  unprice(asset: number): Event[] {
    return this.run({ kind: 'removeReferencePrice', asset: as(asset), reason: 'test' });
  }

  /** A trade of coin at this price in whole USD; both sides are given what they need. */
  trade(price: number): void {
    this.#give(bob, usd, BigInt(price) * 100n);
    this.#match({ seller: alice, buyer: bob, price, lots: 100 });
    this.price(coin, price * 1000);
  }

  /** Alice buys coin of bob for so much USD. */
  spend(amount: bigint): void {
    this.#match({ seller: bob, buyer: alice, price: 1, lots: Number(amount) });
  }

  #match({ seller, buyer, price, lots }: Record<'seller' | 'buyer' | 'price' | 'lots', number>): void {
    this.#give(seller, coin, BigInt(lots));
    for (const account of [seller, buyer]) {
      const order: OrderRequest = {
        symbol: as(0),
        side: account === seller ? 'sell' : 'buy',
        kind: 'limit',
        price: as(price),
        quantity: as(lots),
        budget: null,
        clientOrderId: null,
        stpMode: 'none',
      };
      this.run({ kind: 'placeOrder', account: as(account), order });
    }
  }

  #give(account: number, asset: number, amount: bigint): void {
    this.run({ kind: 'creditFunds', account: as(account), asset: as(asset), amount: as(amount) });
  }

  faults(): string[] {
    return audit(this.engine.state);
  }

  /** Goes on with an engine that was restored from an image of this one. */
  restore(): void {
    this.engine = restoreEngine(this.engine.snapshot(), this.engine.digest());
  }
}

type AssetCap = Extract<Command, { kind: 'configureAsset' }>['asset']['cap'];

/** Reasons of the refusals among events. */
export const refusals = (events: readonly Event[]): string[] =>
  events.flatMap((event) => (event.kind === 'commandRefused' ? [event.reason] : []));
