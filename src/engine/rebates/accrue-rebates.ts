import { house } from '#model/account.ts';
import { engineLimits } from '#model/limits.ts';
import { shareDown } from '#model/fees.ts';
import { rebateDayOf, rebateCapPpm, type RebateAccrual, type RebateRates } from '#model/rebate.ts';
import type { AccountId, AssetId, Quanta } from '#model/units.ts';
import type { Book } from '#engine/book/book.ts';
import type { TradeView } from '#engine/state/spot/trade-view.ts';
import { noInviter, sourceOf, writeBeneficiaries } from '#engine/rebates/commission-source.ts';
import { writeValue } from '#engine/money/trade-value.ts';
import type { EngineState } from '#engine/state/state.ts';

/**
 * Gives the inviters of both sides of a trade, taker first, their shares of its commissions: from the house's fees to
 * its rebates, where they wait for their settlement. Spot and contracts alike. Call it once both fees are posted and
 * the trade is emitted. DEC-SUB-05, DEC-SUB-21, DEC-FUT-73.
 */
export type AccrueRebates = (book: Book, trade: TradeView) => void;

const nothingEarned: RebateRates = { referralPpm: 0, subAffiliatePpm: 0, thirdPpm: 0, kickbackPpm: 0 };

type Mutable<Shape> = { -readonly [Name in keyof Shape]: Shape[Name] };

/** The accrual that event sinks read: one object, reused for every side of a trade and valid during the call only. */
interface AccrualView extends Mutable<RebateAccrual> {
  readonly beneficiaries: AccountId[];
  readonly ratesPpm: number[];
  readonly amounts: Quanta[];
  readonly assetValue: [numerator: number, denominator: number];
  readonly quoteValue: [numerator: number, denominator: number];
}

const createView = (): AccrualView => ({
  accrual: 0,
  product: 'spot',
  symbol: 0 as RebateAccrual['symbol'],
  trade: 0 as RebateAccrual['trade'],
  payer: noInviter,
  source: noInviter,
  code: '',
  isMaker: false,
  asset: 0 as AssetId,
  commission: 0 as Quanta,
  turnover: 0 as Quanta,
  beneficiaries: [noInviter, noInviter, noInviter, noInviter],
  ratesPpm: [0, 0, 0, 0],
  amounts: [0, 0, 0, 0] as Quanta[],
  assetValue: [0, 0],
  quoteValue: [0, 0],
});

/** Creates the accrual of one engine. */
export function createAccrueRebates(state: EngineState): AccrueRebates {
  const { accounts, ledger, emit, invitations, rebateAccruals, rebateRates } = state;
  const view = createView();
  /** Row + 1 of the house's rebates, by asset; 0 if not found yet. */
  const rebateRows = new Int32Array(engineLimits.assets);

  function rebateRow(asset: AssetId): number {
    if (rebateRows[asset] === 0) rebateRows[asset] = ledger.balances.row(house.rebates, asset) + 1;
    return rebateRows[asset]! - 1;
  }

  /** Each product has rates of its own; an inviter whose account is closed earns nothing. DEC-FUT-73, DEC-OPR-236. */
  const ratesOf = (inviter: AccountId): RebateRates =>
    accounts.isClosed(inviter)
      ? nothingEarned
      : view.product === 'spot'
        ? rebateRates.ofSpot(inviter)
        : rebateRates.of(inviter, view.product);

  /** The three rates, of which farther levels get what nearer ones leave of the most, and the kickback. DEC-SUB-36. */
  function writeRates(): void {
    const { beneficiaries, ratesPpm } = view;
    const [inviter, above, farthest, source] = beneficiaries as [AccountId, AccountId, AccountId, AccountId];
    const { referralPpm, kickbackPpm } = ratesOf(inviter);
    const second = above === noInviter ? 0 : ratesOf(above).subAffiliatePpm;
    const third = farthest === noInviter ? 0 : ratesOf(farthest).thirdPpm;
    const left = rebateCapPpm - referralPpm;
    ratesPpm[0] = referralPpm - kickbackPpm;
    ratesPpm[1] = Math.min(second, left);
    ratesPpm[2] = Math.min(third, left - ratesPpm[1]);
    ratesPpm[3] = kickbackPpm;
    beneficiaries[3] = kickbackPpm === 0 ? noInviter : source;
  }

  /** Writes the amounts, each rounded down; the kickback comes out of the rounded referral share. Returns their sum. */
  function writeAmounts(): number {
    const { commission, ratesPpm, amounts } = view;
    const kickback = shareDown(commission, ratesPpm[3]!);
    const referral = shareDown(commission, ratesPpm[0]! + ratesPpm[3]!);
    const second = shareDown(commission, ratesPpm[1]!);
    const third = shareDown(commission, ratesPpm[2]!);
    amounts[0] = (referral - kickback) as Quanta;
    amounts[1] = second as Quanta;
    amounts[2] = third as Quanta;
    amounts[3] = kickback as Quanta;
    return referral + second + third;
  }

  function accrueSide(book: Book, trade: TradeView, isMaker: boolean): void {
    rebateAccruals.lastAccrual += 1;
    view.accrual = rebateAccruals.lastAccrual;
    view.product = book.isContract ? 'futures' : 'spot';
    view.symbol = trade.symbol;
    view.trade = trade.trade;
    view.payer = isMaker ? trade.makerAccount : trade.takerAccount;
    view.source = sourceOf(accounts, view.payer);
    view.code = invitations.noteTrade(view.source, state.at);
    view.isMaker = isMaker;
    view.asset = isMaker ? trade.makerFeeAsset : trade.takerFeeAsset;
    view.commission = isMaker ? trade.makerFee : trade.takerFee;
    view.turnover = trade.quoteAmount;
    writeBeneficiaries(view.beneficiaries, accounts, view.source);
    writeRates();
    const sum = writeAmounts();
    writeValue(view.assetValue, state, view.asset, book, trade.price);
    writeValue(view.quoteValue, state, book.quote, book, trade.price);
    if (sum > 0) {
      const order = isMaker ? trade.maker : trade.taker;
      ledger.post(ledger.feeRow(view.asset), -sum, 'rebate', order);
      ledger.post(rebateRow(view.asset), sum, 'rebate', order);
      rebateAccruals.add(rebateDayOf(state.at), view.source, view.asset, view.amounts);
    }
    emit.rebateAccrued(view);
  }

  return (book, trade) => {
    if (accounts.inviter(trade.takerAccount) !== noInviter) accrueSide(book, trade, false);
    if (accounts.inviter(trade.makerAccount) !== noInviter) accrueSide(book, trade, true);
  };
}
