import { useEffect, useState } from 'preact/hooks';
import { type Contract, contractTickers } from '#web/data/contracts.ts';
import { exchangeNow } from '#web/data/clients.ts';
import { compact, direction, grouped, percent } from '#web/design/number-text.ts';
import { leftText, useReading } from '#web/pages/contracts/contract-facts.ts';
import { Figure } from '#web/pages/figure.tsx';

const fundingMs = 10_000;

/** Time until a moment of the exchange's clock, second by second. */
function Countdown({ to }: { readonly to: number }) {
  const [text, setText] = useState('');
  useEffect(() => {
    const show = (): void =>
      void exchangeNow().then(
        (now) => setText(leftText(to - now)),
        () => setText('–'),
      );
    show();
    const timer = setInterval(show, 1000);
    return () => clearInterval(timer);
  }, [to]);
  return <span class="number">{text}</span>;
}

function Funding({ symbol }: { readonly symbol: string }) {
  const { value } = useReading(symbol, (client) => client.futuresFundingRate({ symbol }), fundingMs);
  return (
    <>
      <Figure name="Funding rate">
        {value === null ? '–' : <span class={direction(value.fundingRate)}>{percent(value.fundingRate, 4)}</span>}
      </Figure>
      <Figure name="Paid in">{value === null ? '–' : <Countdown to={value.nextSettleTime} />}</Figure>
    </>
  );
}

/** Prices and funding of a contract. */
export function ContractHeader({ contract }: { readonly contract: Contract }) {
  const ticker = contractTickers.value.get(contract.symbol);
  const price = (value: number | undefined): string =>
    value === undefined || value === 0 ? '–' : grouped(value.toFixed(contract.priceScale));
  const openInterest = (ticker?.holdVol ?? 0) * contract.contractSize;
  return (
    <div class="pane pair-header">
      <div>
        <h1>{contract.symbol.replace('_', '/')} perpetual</h1>
        <span class="soft">
          {contract.contractSize} {contract.baseCoin} a contract, up to {contract.maxLeverage}×. View only.
        </span>
      </div>
      <span class={`last-price number ${direction(ticker?.riseFallRate ?? 0)}`}>{price(ticker?.lastPrice)}</span>
      <dl class="figures">
        <Figure name="24 h change">
          <span class={direction(ticker?.riseFallRate ?? 0)}>
            {ticker === undefined ? '–' : percent(ticker.riseFallRate)}
          </span>
        </Figure>
        <Figure name="Index">{price(ticker?.indexPrice)}</Figure>
        <Figure name="Fair price">{price(ticker?.fairPrice)}</Figure>
        <Funding symbol={contract.symbol} />
        <Figure name="Open interest">
          {compact(openInterest)} {contract.baseCoin}
        </Figure>
        <Figure name={`24 h turnover (${contract.quoteCoin})`}>{compact(ticker?.amount24 ?? 0)}</Figure>
        <Figure name="24 h high">{price(ticker?.high24Price)}</Figure>
        <Figure name="24 h low">{price(ticker?.lower24Price)}</Figure>
      </dl>
    </div>
  );
}
