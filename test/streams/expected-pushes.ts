import { formatDecimal } from '#base/decimal.ts';
import type { PostingKind } from '#model/account.ts';
import type { AssetRules } from '#model/asset.ts';
import { noopSink } from '#model/event-record.ts';
import type { EventSink, Trade } from '#model/events.ts';
import type { OrderView } from '#model/order.ts';
import type { SymbolRules } from '#model/symbol.ts';
import type { ReadPush } from './push-reader.ts';

/** What the tests compare of a push; times and names are looked at elsewhere. */
export type Essence = readonly (string | number | boolean)[];
export const privateKinds = ['account', 'deals', 'orders'] as const;
export type PrivateKind = (typeof privateKinds)[number];

const types: Record<PostingKind, string> = {
  orderHold: 'ENTRUST_PLACE',
  fill: 'ENTRUST',
  fee: 'TRADE_FEE',
  surplusRelease: 'ENTRUST_UNFROZEN',
  cancelRelease: 'ENTRUST_CANCEL',
  deposit: 'DEPOSIT',
  withdrawal: 'WITHDRAW',
  withdrawalFee: 'WITHDRAW_FEE',
  transfer: 'TRANSFER',
  dust: 'DUST',
  rebate: 'REBATE',
  adjustment: 'ADJUSTMENT',
  contractTransfer: 'CONTRACT_TRANSFER',
  networkFee: 'NETWORK_FEE',
  chainLoss: 'CHAIN_LOSS',
  contractProfit: 'CONTRACT_PROFIT',
  funding: 'FUNDING',
  liquidationFee: 'LIQUIDATION_FEE',
  insurance: 'INSURANCE',
  capital: 'CAPITAL',
  revenue: 'REVENUE',
};
const finalStatus = { canceled: 4, partiallyCanceled: 5 } as const;
const filledStatus = 2;

/**
 * Every private push of every account as it should be, from the first entry on: plain lists, made straight from the
 * events, without anything of `src/websocket`.
 */
export class ExpectedPushes {
  readonly lists: Record<PrivateKind, Map<number, Essence[]>> = {
    account: new Map(),
    deals: new Map(),
    orders: new Map(),
  };
  private readonly assets: AssetRules[] = [];
  private readonly symbols: SymbolRules[] = [];
  private readonly balances = new Map<string, { free: bigint; held: bigint }>();

  of(kind: PrivateKind, account: number): Essence[] {
    let list = this.lists[kind].get(account);
    if (list === undefined) {
      list = [];
      this.lists[kind].set(account, list);
    }
    return list;
  }

  readonly sink: EventSink = {
    ...noopSink,
    orderAccepted: (order) => this.order(order, 1, ''),
    orderFilled: (order, lots) =>
      this.order(order, 3, formatDecimal(lots, (this.symbols[order.symbol] as SymbolRules).quantityDecimals)),
    orderClosed: (order) => {
      if (order.status === 'canceled' || order.status === 'partiallyCanceled') {
        this.order(order, finalStatus[order.status], '');
        return;
      }
      const list = this.of('orders', order.account);
      const last = list.findLastIndex(([id]) => id === order.order);
      const [id, , executed, lots] = list[last] as Essence;
      list[last] = [id as number, filledStatus, executed as string, lots as string];
    },
    tradeExecuted: (trade) => {
      this.deal(trade, trade.takerAccount, trade.taker, false);
      this.deal(trade, trade.makerAccount, trade.maker, true);
    },
    posted: (account, asset, free, held, why) => this.post(account, asset, BigInt(free), BigInt(held), why),
    fact: (fact) => {
      if (fact.kind === 'assetConfigured') this.assets[fact.asset.id] = fact.asset;
      if (fact.kind === 'symbolConfigured') this.symbols[fact.symbol.id] = fact.symbol;
    },
  };

  private order(order: OrderView, status: number, lots: string): void {
    const { quantityDecimals } = this.symbols[order.symbol] as SymbolRules;
    this.of('orders', order.account).push([order.order, status, formatDecimal(order.executed, quantityDecimals), lots]);
  }

  private deal(trade: Trade, account: number, order: number, isMaker: boolean): void {
    const rules = this.symbols[trade.symbol] as SymbolRules;
    const fee = isMaker ? trade.makerFee : trade.takerFee;
    const feeAsset = this.assets[isMaker ? trade.makerFeeAsset : trade.takerFeeAsset] as AssetRules;
    this.of('deals', account).push([
      order,
      trade.fillOfTaker,
      isMaker,
      formatDecimal(trade.price, rules.priceDecimals),
      formatDecimal(trade.lots, rules.quantityDecimals),
      formatDecimal(fee, feeAsset.scale),
      feeAsset.code,
    ]);
  }

  private post(account: number, asset: number, free: bigint, held: bigint, why: PostingKind): void {
    const { code, scale } = this.assets[asset] as AssetRules;
    const key = `${account}/${asset}`;
    const balance = this.balances.get(key) ?? { free: 0n, held: 0n };
    balance.free += free;
    balance.held += held;
    this.balances.set(key, balance);
    this.of('account', account).push([
      code,
      types[why],
      formatDecimal(free, scale),
      formatDecimal(balance.free, scale),
      formatDecimal(held, scale),
      formatDecimal(balance.held, scale),
    ]);
  }
}

const numberOf = (id: string): number => Number(id.slice(-15));

/** The same of a push that came. */
export function essenceOf(push: ReadPush): { readonly kind: PrivateKind; readonly essence: Essence } {
  const { body } = push;
  if (body.case === 'privateOrders') {
    const { id, status, cumulativeQuantity, lastDealQuantity } = body.value;
    return { kind: 'orders', essence: [numberOf(id), status, cumulativeQuantity, lastDealQuantity ?? ''] };
  }
  if (body.case === 'privateDeals') {
    const deal = body.value;
    const fill = Number(deal.tradeId.slice(deal.tradeId.indexOf('X') + 1));
    const essence = [
      numberOf(deal.orderId),
      fill,
      deal.isMaker,
      deal.price,
      deal.quantity,
      deal.feeAmount,
      deal.feeCurrency,
    ];
    return { kind: 'deals', essence };
  }
  if (body.case !== 'privateAccount') throw new Error(`a push of ${body.case} on a private connection`);
  const change = body.value;
  const essence = [
    change.vcoinName,
    change.type,
    change.balanceAmountChange,
    change.balanceAmount,
    change.frozenAmountChange,
    change.frozenAmount,
  ];
  return { kind: 'account', essence };
}
