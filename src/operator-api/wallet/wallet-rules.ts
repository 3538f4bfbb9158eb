import type { z } from 'zod';
import type { WalletRules } from '#model/wallet.ts';
import { amountText, readAmount, type ListedAssets, listedAssets } from '#operator-api/wallet/listed-assets.ts';
import type { walletRulesEndpoints } from '#operator-api/wallet/wallet-rule-endpoints.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { Problem } from '#operator-api/requests/problems.ts';
import { createProposing } from '#operator-api/requests/act.ts';

type Endpoints = typeof walletRulesEndpoints;
type RulesText = z.output<Endpoints['putWalletRules']['body']>;

function readRules(assets: ListedAssets, body: RulesText): WalletRules {
  const valuedIn = assets.ofBody(body.valuedIn, '/valuedIn');
  const { newAddressDelayMs, waitMs, dustFeePpm } = body;
  const read = (text: string, pointer: string) => readAmount(text, valuedIn, pointer);
  return {
    valuedIn: valuedIn.id,
    largeDeposit: read(body.largeDeposit, '/largeDeposit'),
    dailyCaps: body.dailyCaps.map((cap, index) => read(cap, `/dailyCaps/${index}`)),
    riskHoldAbove: body.riskHoldAbove === null ? null : read(body.riskHoldAbove, '/riskHoldAbove'),
    fourEyesAbove: body.fourEyesAbove === null ? null : read(body.fourEyesAbove, '/fourEyesAbove'),
    adjustFourEyesAbove:
      body.adjustFourEyesAbove === null ? null : read(body.adjustFourEyesAbove, '/adjustFourEyesAbove'),
    newAddressDelayMs,
    waitMs,
    transferable: body.transferable.map((code, index) => assets.ofBody(code, `/transferable/${index}`).id),
    dustBelow: read(body.dustBelow, '/dustBelow'),
    dustCallMax: read(body.dustCallMax, '/dustCallMax'),
    dustFeePpm,
  };
}

/** Rules as the endpoints take and answer them. */
export function shownRules(assets: ListedAssets, rules: WalletRules): RulesText {
  const valuedIn = assets.at(rules.valuedIn);
  const { newAddressDelayMs, waitMs, dustFeePpm } = rules;
  const shown = (amount: bigint): string => amountText(amount, valuedIn);
  return {
    valuedIn: valuedIn.code,
    largeDeposit: shown(rules.largeDeposit),
    dailyCaps: rules.dailyCaps.map(shown),
    riskHoldAbove: rules.riskHoldAbove === null ? null : shown(rules.riskHoldAbove),
    fourEyesAbove: rules.fourEyesAbove === null ? null : shown(rules.fourEyesAbove),
    adjustFourEyesAbove: rules.adjustFourEyesAbove === null ? null : shown(rules.adjustFourEyesAbove),
    newAddressDelayMs,
    waitMs,
    transferable: rules.transferable.map((asset) => assets.at(asset).code),
    dustBelow: shown(rules.dustBelow),
    dustCallMax: shown(rules.dustCallMax),
    dustFeePpm,
  };
}

/** Handlers of the rules of the whole wallet. */
export function walletRulesHandlers(context: OperatorContext): HandlersOf<Endpoints> {
  const { queries } = context;
  const propose = createProposing(context);
  const answer = async (): Promise<RulesText> => {
    const rules = await queries.wallet.rules();
    if (rules === null) throw new Problem('walletNotConfigured');
    return shownRules(await listedAssets(queries), rules);
  };
  return {
    getWalletRules: answer,
    putWalletRules: async (request) => {
      const rules = readRules(await listedAssets(queries), request.body);
      return (await propose(request, { kind: 'configureWallet', rules })) ?? answer();
    },
  };
}
