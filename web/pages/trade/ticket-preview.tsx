import type { Pair } from '#web/data/markets.ts';
import { NumberText } from '#web/design/values.tsx';
import type { OrderCost, OrderDraft } from '#web/pages/trade/order-cost.ts';
import { type PairUnits, plainText, rescaled } from '#web/pages/trade/pair-units.ts';

import type { TokenFees } from '#web/pages/trade/token-fee.ts';

interface PreviewProps {
  readonly pair: Pair;
  readonly draft: OrderDraft;
  readonly cost: OrderCost;
  readonly units: PairUnits;
  readonly tokenFees: TokenFees | null;
}

const Line = ({ name, value, asset }: { readonly name: string; readonly value: string; readonly asset: string }) => (
  <div class="preview-line">
    <dt>{name}</dt>
    <dd>
      <NumberText value={value} /> {value === '' ? '' : asset}
    </dd>
  </div>
);

/** What the order trades at once, what rests, and its fees. DEC-WEB-10. */
export function Preview({ pair, draft, cost, units, tokenFees }: PreviewProps) {
  const isBuy = draft.side === 'BUY';
  const { taken, rests, takenAmount, restsAmount, takerFee, makerFee } = cost;
  const lots = (value: bigint): string => plainText(value, units.quantityDecimals);
  const quote = (value: bigint): string => plainText(value, units.quoteScale);
  const receivedScale = isBuy ? units.baseScale : units.quoteScale;
  const received = isBuy ? pair.baseAsset : pair.quoteAsset;
  const gross = isBuy ? rescaled(taken + rests, units.quantityDecimals, units.baseScale) : takenAmount + restsAmount;
  const [own, token] = [takerFee.own + makerFee.own, takerFee.token + makerFee.token];
  const taxed = tokenFees?.isReceived === true ? own + token : own;
  const worst = cost.worstPrice === null ? '' : plainText(cost.worstPrice, units.priceDecimals);
  const feeName = taken === 0n && rests > 0n ? 'Fee when it fills' : 'Fee';
  return (
    <dl class="preview">
      <Line name="Trades at once" value={lots(taken)} asset={pair.baseAsset} />
      <Line name={isBuy ? '… up to the price' : '… down to the price'} value={worst} asset={pair.quoteAsset} />
      <Line name="Rests in the book" value={lots(rests)} asset={pair.baseAsset} />
      <Line name={isBuy ? 'Cost' : 'Worth'} value={quote(takenAmount + restsAmount)} asset={pair.quoteAsset} />
      {own > 0n || token === 0n ? <Line name={feeName} value={plainText(own, receivedScale)} asset={received} /> : null}
      {token === 0n || tokenFees === null ? null : (
        <Line name={feeName} value={plainText(token, tokenFees.scale)} asset={tokenFees.asset} />
      )}
      <Line name="You get" value={plainText(gross - taxed, receivedScale)} asset={received} />
    </dl>
  );
}
