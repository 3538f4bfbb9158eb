import type { Prng } from '#base/prng.ts';
import type { Command } from '#model/command.ts';
import type { OrderRequest } from '#model/order.ts';
import type { AccountId } from '#model/units.ts';
import type { Agent, Moment } from '#sandbox/agents/agent.ts';
import { isEarly, nothing } from '#sandbox/agents/agent.ts';
import type { LadderShape, WantedOrder } from '#sandbox/agents/ladder.ts';
import { Ladder } from '#sandbox/agents/ladder.ts';
import type { Holdings } from '#sandbox/agents/holdings.ts';
import { meanTradeUsd } from '#sandbox/agents/noise-taker.ts';
import { roundSomePrices } from '#sandbox/agents/order-size.ts';
import type { ParticipantFold } from '#sandbox/agents/participant-fold.ts';
import { orderOf, type TradedMarket } from '#sandbox/agents/traded-market.ts';

/** How one maker quotes one market. */
export interface MakerPlan {
  readonly shape: LadderShape;
  /** Value of the nearest level, and the fraction of it that each cell of distance adds. */
  readonly levelUsd: number;
  readonly growthPerCell: number;
  readonly intervalMs: number;
  /** Greatest number of orders per command once the ladder is complete. */
  readonly placeMax: number;
  /** Levels get smaller with this power of volatility. */
  readonly thinning: number;
  /** A full inventory shifts the quotes by this many half spreads. */
  readonly skewHalfSpreads: number;
}

/** Account, market and state of a maker. */
export interface MakerPorts {
  readonly account: AccountId;
  readonly market: TradedMarket;
  readonly fold: ParticipantFold;
  readonly prng: Prng;
  readonly holdings: Holdings;
}

/** A best quote is kept while it is off by less than this fraction of the half spread. */
const touchTolerance = 0.4;
/** Inventory worth this many nearest levels counts as full. */
const fullInventoryLevels = 300;
const wholeLadderOrders = 450;
/** On a steep path: ladders that follow level by level would be left behind, and with them the prices. */
const steepOrders = 80;
/**
 * In history: worth of the best level as a part of the expected flow of a step; of the outer one as a multiple of the
 * usual flow, less in storms.
 */
const flowPerLevel = 0.8;
const outerLevel = 10;
const outerThinning = 1.2;
/** In history: usual distance of the outer level as a part of the usual move in a step. */
const movePerLevel = 0.2;

/** Scales all orders down if the free balance cannot cover them, so that a maker quotes less instead of nothing. */
function withinFunds(ports: MakerPorts, place: readonly WantedOrder[]): readonly WantedOrder[] {
  const { market, holdings } = ports;
  const need = { buyNotional: 0, sellNotional: 0, sellLots: 0 };
  for (const { side, price, lots } of place) {
    if (side === 'buy') need.buyNotional += market.notional(price, lots);
    else {
      need.sellNotional += market.notional(price, lots);
      need.sellLots += lots;
    }
  }
  const ratio = holdings.coverage(need);
  if (ratio.buy === 1 && ratio.sell === 1) return place;
  return place
    .map((order) => ({ ...order, lots: Math.floor(order.lots * ratio[order.side]) }))
    .filter(
      (order) =>
        order.lots >= market.rules.minLots && market.notional(order.price, order.lots) >= market.rules.minNotional,
    );
}

/** A market maker in one market: keeps a ladder around the fair price, shifted against its own inventory. */
export function createLadderMaker(plan: MakerPlan, ports: MakerPorts): Agent {
  const { market, fold, prng, account } = ports;
  const ladder = new Ladder(plan.shape);
  const touch = { bid: 0, ask: 0 };
  let dueAt = 0;

  /** The fair price less what inventory asks for. */
  const middleNow = (): number => {
    const fair = market.fairTicks();
    const fullness = ports.holdings.inventoryUsd() / (plan.levelUsd * fullInventoryLevels);
    return fair - (Math.tanh(fullness) * plan.skewHalfSpreads * fair * market.profile.halfSpreadBps) / 10_000;
  };
  /** Whether somebody could trade at a quote and gain: then it is moved at once, an outer one on paths alone. */
  const isLeft = (middle: number): boolean => {
    const gap = plan.shape.hasBest ? 0 : plan.shape.gapTicks;
    return (plan.shape.hasBest || market.isLed) && (middle < touch.bid - gap || middle > touch.ask + gap);
  };
  const moveTouch = (middle: number): void => {
    const halfSpread = market.halfSpreadTicks();
    const bid = Math.max(1, Math.round(middle - halfSpread));
    const ask = Math.max(bid + 1, Math.round(middle + halfSpread));
    const tolerance = halfSpread * touchTolerance;
    if (Math.abs(bid - touch.bid) > tolerance || touch.bid >= ask) touch.bid = bid;
    if (Math.abs(ask - touch.ask) > tolerance || touch.ask <= touch.bid) touch.ask = Math.max(ask, touch.bid + 1);
    if (!plan.shape.hasBest) return;
    market.quotedBid = touch.bid;
    market.quotedAsk = touch.ask;
    market.quotedMid = (touch.bid + touch.ask) / 2;
  };
  const sized = (order: WantedOrder): WantedOrder => {
    const factor = Math.max(0.5, Math.min(3, Math.exp(0.4 * prng.gaussian())));
    const lots = Math.max(market.rules.minLots, Math.round(order.lots * factor));
    const legal =
      market.notional(order.price, lots) >= market.rules.minNotional &&
      market.notional(order.price, lots) <= market.rules.maxNotional;
    return legal ? { ...order, lots } : order;
  };
  const levelWorth = (): number => (plan.levelUsd * market.condition.depth) / market.volatility() ** plan.thinning;
  /** Two levels a side that bear the flow of the step, as far apart as the price moves within it. */
  const shortLadder = ({ elapsedMs }: Moment): readonly WantedOrder[] => {
    const usualFlow = market.profile.tradesPerSecond * (elapsedMs / 1000) * meanTradeUsd(market.profile);
    const bestUsd = Math.max(levelWorth(), usualFlow * market.activity * flowPerLevel);
    const outerUsd = Math.max(levelWorth(), (usualFlow * outerLevel) / market.volatility() ** outerThinning);
    const gap = Math.max(plan.shape.spacingTicks, market.moveTicks(elapsedMs) * movePerLevel);
    const outer = (): number => Math.max(1, Math.round(gap * (0.3 + 1.4 * prng.next())));
    const outerLots = market.lotsWorth(outerUsd, market.quotedMid);
    const bestLots = market.lotsWorth(bestUsd, market.quotedMid);
    const levels: readonly WantedOrder[] = [
      { side: 'buy', price: touch.bid, lots: bestLots },
      { side: 'sell', price: touch.ask, lots: bestLots },
      { side: 'buy', price: Math.max(1, roundSomePrices(touch.bid - outer(), 'buy', prng)), lots: outerLots },
      { side: 'sell', price: roundSomePrices(touch.ask + outer(), 'sell', prng), lots: outerLots },
    ];
    return levels.filter(({ lots }) => lots > 0);
  };
  const act = (moment: Moment): readonly Command[] => {
    const { pace, now } = moment;
    if (!market.open || (pace === 'history' && !plan.shape.hasBest)) return nothing;
    const middle = middleNow();
    const isSteep = market.isLed && isLeft(middle);
    const isWhole = moment.whole || market.isLaidAnew;
    if (pace === 'live' && !isWhole && isEarly(now, dueAt, plan.intervalMs) && !isLeft(middle)) return nothing;
    dueAt = now + plan.intervalMs;
    moveTouch(middle);
    const usd = levelWorth();
    const change =
      pace === 'history'
        ? { cancel: [], place: shortLadder(moment) }
        : ladder.change(touch, fold.restingOf(account, market.rules.id), {
            lotsAt: (price, distanceCells) => market.lotsWorth(usd * (1 + distanceCells * plan.growthPerCell), price),
            levelsMax: wholeLadderOrders,
            placeMax: isWhole ? wholeLadderOrders : isSteep ? steepOrders : plan.placeMax,
          });
    const place = withinFunds(ports, change.place.map(sized));
    if (change.cancel.length === 0 && place.length === 0) return nothing;
    return [
      {
        kind: 'requote',
        account,
        symbol: market.rules.id,
        cancel: change.cancel,
        place: place.map((order): OrderRequest => orderOf(market, order.side, 'limit', order)),
      },
    ];
  };
  return { act };
}
