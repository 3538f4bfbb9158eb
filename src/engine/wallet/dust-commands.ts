import { house, innerHouse } from '#model/account.ts';
import { engineLimits } from '#model/limits.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { AccountId, AssetId } from '#model/units.ts';
import type { ConvertedAsset } from '#model/wallet.ts';
import { refuse, type CommandFunction } from '#engine/money/command-function.ts';
import { dustQuote, dustTerms, type DustQuote, type DustTerms, refusalOfAll } from '#engine/wallet/dust.ts';
import type { EngineState } from '#engine/state/state.ts';

/**
 * Converts the free parts of assets into the platform token, in the order in which they are named. What cannot be
 * converted is told with its reason, and the others are converted all the same. DEC-WAL-07, DEC-WAL-35, DEC-WAL-36.
 */
export const convertDust: CommandFunction<'convertDust'> = (state, { account, assets }) => {
  state.conversions.forget(state.at);
  // stored order: as they are named
  const asked = [...new Set(assets)];
  const terms = dustTerms(state);
  const reason = refusalOf(state, account, asked);
  if (reason !== null || terms === null) {
    refuse(state, reason ?? 'walletNotConfigured');
    return;
  }
  const done: ConvertedAsset[] = [];
  const refused: { readonly asset: AssetId; readonly reason: RejectReason }[] = [];
  let left: bigint = state.walletRules.value!.dustCallMax;
  for (const asset of asked) {
    const quote = dustQuote(state, terms, account, asset);
    const why = quote.refusal ?? (quote.value > left ? 'tooMuchDust' : null);
    if (why !== null) {
      refused.push({ asset, reason: why });
      continue;
    }
    left -= quote.value;
    postConversion(state, terms, account, quote);
    done.push({ asset, amount: quote.amount, converted: quote.converted, fee: quote.fee });
  }
  const { at } = state;
  const conversion =
    done.length === 0 ? null : { conversion: state.conversions.add(account, at), account, at, assets: done };
  state.emit.fact({ kind: 'dustConverted', conversion, refused });
};

/** Why nothing of the command is done; `null`: no such reason. */
function refusalOf(state: EngineState, account: AccountId, asked: readonly AssetId[]): RejectReason | null {
  const isCountFit = asked.length > 0 && asked.length <= engineLimits.assetsPerConversion;
  return refusalOfAll(state, account) ?? (isCountFit ? null : 'invalidConfiguration');
}

/** The house buys the dust and pays in the platform token, of which it takes its fee. DEC-WAL-36. */
function postConversion(state: EngineState, { token }: DustTerms, account: AccountId, quote: DustQuote): void {
  const { ledger } = state;
  ledger.move(account, innerHouse.dust, quote.asset, quote.amount, 'dust');
  ledger.move(innerHouse.dust, account, token, quote.converted, 'dust');
  if (quote.fee > 0n) ledger.move(innerHouse.dust, house.fees, token, quote.fee, 'fee');
}
