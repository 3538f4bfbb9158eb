import { useEffect, useState } from 'preact/hooks';
import { balances } from '#web/data/account.ts';
import { lastPriceOf } from '#web/data/last-price.ts';
import type { Pair } from '#web/data/markets.ts';
import { useAct, useAnswer } from '#web/data/use-answer.ts';
import { type FeeRates, plainText } from '#web/pages/trade/pair-units.ts';
import { type FeeToken, type TokenFees, tokenFeesOf } from '#web/pages/trade/token-fee.ts';

/** Fees and the price of the platform token are read again this often: the price holds for a minute. */
const readMs = 10_000;

/** What is known of an account's fees. */
export interface KnownFees {
  /** `null`: those of the pair stand in. */
  readonly rates: FeeRates | null;
  /** `null`: fees are paid in what is received. */
  readonly tokenFees: TokenFees | null;
  readonly token: FeeToken | null;
  readonly isInToken: boolean;
  /** Switches paying in the token. */
  readonly turn: (isInToken: boolean) => void;
  readonly fault: string | null;
}

/** Fees of whoever is signed in for a pair. DEC-WEB-10, DEC-WEB-18. */
export function useFees(pair: Pair, isBuy: boolean): KnownFees {
  const { symbol } = pair;
  const rates = useAnswer((client) => client.tradeFee({ symbol }), [symbol], readMs);
  const deduction = useAnswer((client) => client.feeDeduction(), [], readMs);
  const act = useAct();
  const read = deduction.value;
  /** What was switched to, until it is read. */
  const [wanted, setWanted] = useState<boolean | null>(null);
  useEffect(() => setWanted(null), [read]);
  const isInToken = wanted ?? read?.svcDeductEnable ?? false;
  const token = read?.token ?? null;
  const known = balances.value;
  return {
    rates: rates.value,
    tokenFees:
      isInToken && token !== null && known !== null
        ? tokenFeesOf({ token, pair, isBuy, balances: known, lastOf: lastPriceOf })
        : null,
    token,
    isInToken,
    turn: (svcDeductEnable) => {
      setWanted(svcDeductEnable);
      const done = act.run(async (client) => {
        await client.enableFeeDeduction({ svcDeductEnable });
      });
      void done.then((isDone) => (isDone ? deduction.reload() : setWanted(null)));
    },
    fault: act.refusal?.text ?? null,
  };
}

/** The switch for paying fees in the platform token; nothing where there is none. */
export function FeeTokenSwitch({ token, isInToken, turn, fault }: KnownFees) {
  if (token === null) return null;
  const percent = plainText(BigInt(Math.round(token.discount * 10_000)), 2);
  return (
    <>
      <label class="choice">
        <input type="checkbox" checked={isInToken} onChange={(event) => turn(event.currentTarget.checked)} />
        Pay fees in {token.asset}, {percent} % less
      </label>
      {isInToken && token.price === null ? (
        <p class="soft">{token.asset} has no price that counts for fees now.</p>
      ) : null}
      {fault === null ? null : <p role="alert">{fault}</p>}
    </>
  );
}
