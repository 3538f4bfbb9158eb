import type { AnswerOf } from '#client/client.ts';
import type { Balance } from '#web/data/account.ts';
import type { Pair } from '#web/data/markets.ts';
import { typed } from '#web/pages/trade/pair-units.ts';

/** The token that fees may be paid in, as the API tells it. */
export type FeeToken = NonNullable<AnswerOf<'feeDeduction'>['token']>;

/** Decimals of prices here. */
const priceDecimals = 18;
const million = 1_000_000n;

/** How fees of an order are paid in the platform token, as far as is known before it trades. */
export interface TokenFees {
  readonly asset: string;
  /** Decimals of the token. */
  readonly scale: number;
  /** What is paid of a fee, in parts per million. */
  readonly paidPpm: bigint;
  /** Price of the token, and of what the order receives, in the same asset, at 18 decimals. `null`: it has none. */
  readonly price: bigint;
  readonly receivedPrice: bigint | null;
  /** Decimals of what the order receives. */
  readonly receivedScale: number;
  /** The price of what is received is that of the pair, so that each fill makes it for the next one. */
  readonly followsPair: boolean;
  /** Units of the token that are free. */
  readonly free: bigint;
  /** The order gives the token, or receives it. */
  readonly isGiven: boolean;
  readonly isReceived: boolean;
}

/** What is known where a token fee is reckoned. */
interface Known {
  readonly token: FeeToken;
  readonly pair: Pair;
  readonly isBuy: boolean;
  readonly balances: ReadonlyMap<string, Balance>;
  /** Last price of a pair; `null`: nothing was traded. */
  readonly lastOf: (symbol: string) => string | null;
}

/** How fees of an order are paid in the token; `null`: they are not, because the token has no price. DEC-WEB-18. */
export function tokenFeesOf({ token, pair, isBuy, balances, lastOf }: Known): TokenFees | null {
  const price = token.price === null ? null : typed(token.price, priceDecimals);
  if (price === null || price === 0n) return null;
  const received = isBuy ? pair.baseAsset : pair.quoteAsset;
  const last = received === token.valuedIn ? '1' : lastOf(`${received}${token.valuedIn}`);
  return {
    asset: token.asset,
    scale: token.precision,
    paidPpm: million - BigInt(Math.round(token.discount * 1_000_000)),
    price,
    receivedPrice: received === token.asset ? price : last === null ? null : typed(last, priceDecimals),
    receivedScale: isBuy ? pair.baseCommissionPrecision : pair.quoteCommissionPrecision,
    followsPair: isBuy && pair.quoteAsset === token.valuedIn && received !== token.asset,
    free: typed(balances.get(token.asset)?.free ?? '0', token.precision) ?? 0n,
    isGiven: token.asset === (isBuy ? pair.quoteAsset : pair.baseAsset),
    isReceived: token.asset === received,
  };
}

/** Fees of an order: units of what is received, and units of the token. */
export interface Fees {
  readonly own: bigint;
  readonly token: bigint;
}

/** Reckons the fees of an order, one fill after the other. */
export class FeeCounter {
  private readonly fees: TokenFees | null;
  private readonly tickDecimals: number;
  private left: bigint;
  private receivedPrice: bigint | null;

  /** `given`: units that the order takes out of the account. `tickDecimals`: decimals of the pair's prices. */
  constructor(fees: TokenFees | null, given: bigint, tickDecimals: number) {
    this.fees = fees;
    this.tickDecimals = tickDecimals;
    this.left = fees === null ? 0n : fees.free - (fees.isGiven ? given : 0n);
    this.receivedPrice = fees?.receivedPrice ?? null;
  }

  /** The fee of a fill: a share of what it receives, in the token if there is enough of it. Rounded up. */
  feeOf(received: bigint, ppm: bigint, price: bigint): Fees {
    const own = (received * ppm + million - 1n) / million;
    if (this.fees?.isReceived === true) this.left += received;
    const token = own === 0n ? null : this.inToken(received, ppm);
    if (this.fees?.followsPair === true) this.receivedPrice = price * 10n ** BigInt(priceDecimals - this.tickDecimals);
    const isPaidSo = token !== null && token <= this.left;
    if (isPaidSo) this.left -= token;
    else if (this.fees?.isReceived === true) this.left -= own;
    return isPaidSo ? { own: 0n, token } : { own, token: 0n };
  }

  private inToken(received: bigint, ppm: bigint): bigint | null {
    if (this.fees === null || this.receivedPrice === null) return null;
    const { scale, paidPpm, price, receivedScale } = this.fees;
    const worth = received * ppm * paidPpm * this.receivedPrice * 10n ** BigInt(scale);
    const unit = million * million * price * 10n ** BigInt(receivedScale);
    return (worth + unit - 1n) / unit;
  }
}
