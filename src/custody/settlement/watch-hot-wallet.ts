import type { MovedPayment, PaymentName, SentPayment } from '#custody/custody.ts';
import type { UnknownPayment } from '#model/safety.ts';
import { as, type Balance } from '#model/units.ts';
import { feeToLedger } from '#custody/settlement/chain-amounts.ts';
import { type NetworkListing, settle, type SettlementParts } from '#custody/settlement/network-settlement.ts';

/** Payments that one poll records, and looks up, at most. */
const recordedAtOnce = 100;
/** Amounts of the ledger are below 2^62. */
const amountsBelow = 1n << 62n;

/** What a payment was, as a command tells it. */
type Description = Pick<UnknownPayment, 'txId' | 'asset' | 'amount' | 'address' | 'memo' | 'networkFee'>;

const notKnown: Omit<Description, 'txId'> = {
  asset: null,
  amount: as<Balance>(0n),
  address: null,
  memo: null,
  networkFee: as<Balance>(0n),
};

/**
 * Compares what the hot wallet of a network has sent with what the journal made it send. A payment that the journal
 * does not know was made in a time that it has lost, before a backup was restored, or by somebody else with the same
 * keys: to pay what is asked for again could be to pay twice. So it is recorded, which holds the withdrawals of the
 * network until an operator has booked it. DEC-WAL-120.
 */
export class HotWalletWatch {
  private readonly parts: SettlementParts;
  /** Payments that the journal does not know and that have too few confirmations to be recorded. */
  private waiting = 0;

  constructor(parts: SettlementParts) {
    this.parts = parts;
  }

  /** Whether nothing may be paid now. */
  async isHeld(): Promise<boolean> {
    const { queries, custody } = this.parts;
    return this.waiting > 0 || (await queries.safety.isHeld(custody.network));
  }

  /** Unknown payments that wait for their confirmations. */
  get unknownWaiting(): number {
    return this.waiting;
  }

  /** Polls the wallet once. Goes before everything that pays. */
  async run(listing: NetworkListing): Promise<void> {
    const { custody, queries } = this.parts;
    const { network, isPaying } = custody;
    const chain = isPaying ? await queries.wallet.chain(network) : null;
    if (chain === null) return;
    const confirmations = Math.max(...listing.networks.map(({ minConfirm }) => minConfirm));
    const asked = { nonceFrom: chain.nextNonce, since: chain.position, confirmations };
    const { final, waiting } = await custody.sentPayments(asked);
    for (const payment of (await this.unknownOf(final)).slice(0, recordedAtOnce)) await this.record(payment, listing);
    await this.describeFound(listing);
    this.waiting = (await this.unknownOf(waiting)).length;
  }

  /** Records the transaction that took the nonce of one which the journal knows. */
  recordTaker(taker: PaymentName, listing: NetworkListing): Promise<void> {
    return this.record(taker, listing);
  }

  private async unknownOf(payments: readonly PaymentName[]): Promise<readonly PaymentName[]> {
    const { queries, custody } = this.parts;
    const unknown: PaymentName[] = [];
    for (const payment of payments)
      if (!(await queries.safety.isKnownPayment(custody.network, payment))) unknown.push(payment);
    return unknown;
  }

  private async record({ nonce, txId }: PaymentName, listing: NetworkListing): Promise<void> {
    const { network } = this.parts.custody;
    const found = txId === null ? null : await this.parts.custody.describePayment({ nonce, txId }, null);
    const description = found === null ? { txId, ...notKnown } : describe(found, listing);
    const refusal = await settle(this.parts, { kind: 'recordUnknownPayment', network, nonce, ...description });
    if (refusal !== null) return;
    const name = nonce === null ? `transaction ${txId}` : `the transaction with nonce ${nonce}`;
    this.parts.notice(
      `The hot wallet of ${network} has sent ${name}, which the journal does not know: withdrawals of ${network} are ` +
        'held until it is booked. GET /v1/safety on the operator port tells what to do.',
    );
  }

  /** Finds out what those were that were recorded by their nonce alone. */
  private async describeFound(listing: NetworkListing): Promise<void> {
    const { custody, queries } = this.parts;
    const { network } = custody;
    const found = (await queries.safety.unknownPayments()).filter(
      (each) => each.network === network && each.booking === null && each.txId === null,
    );
    for (const { nonce, searchFrom } of found.slice(0, recordedAtOnce)) {
      const payment = await custody.describePayment({ nonce, txId: null }, searchFrom);
      if (payment === null) continue;
      await settle(this.parts, { kind: 'recordUnknownPayment', network, nonce, ...describe(payment, listing) });
    }
  }
}

/** What a payment of the wallet was on the ledger: amounts are rounded up, as fees are. */
export function describe({ txId, moved, networkFee }: SentPayment, listing: NetworkListing): Description {
  const { networks, assets } = listing;
  const native = networks.find(({ contract }) => contract === null);
  const ofNative = (amount: bigint): Balance => feeToLedger(amount, native!.scale, assets[native!.asset]!.scale);
  const fee = native === undefined ? as<Balance>(0n) : ofNative(networkFee);
  return { txId, ...(moved === null ? notKnown : movedOnLedger(moved, listing)), networkFee: fee };
}

function movedOnLedger(
  { contract, amount, address, memo }: MovedPayment,
  { networks, assets }: NetworkListing,
): Pick<Description, 'asset' | 'amount' | 'address' | 'memo'> {
  const listed = networks.find((each) => each.contract === contract);
  if (listed === undefined) return { ...notKnown, address, memo };
  const onLedger = feeToLedger(amount, listed.scale, assets[listed.asset]!.scale);
  if (onLedger >= amountsBelow) return { ...notKnown, address, memo };
  return { asset: listed.asset, amount: onLedger, address, memo };
}
