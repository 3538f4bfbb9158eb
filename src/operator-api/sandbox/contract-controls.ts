import { formatDecimal } from '#base/decimal.ts';
import { million } from '#base/whole-numbers.ts';
import { type ContractListing, type ContractRules, markDecimals } from '#model/contract.ts';
import type { FundingSettlement } from '#model/contract.ts';
import { as, type TimestampMs } from '#model/units.ts';
import { indexWeightMax } from '#market-data/price-index/price-index.ts';
import type { ClockControls } from '#sandbox/clock-controls.ts';
import { accountOfUid } from '#operator-api/accounts/find-account.ts';
import { listedContracts } from '#operator-api/futures/listed-contracts.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { type Act, createRequestMemory } from '#operator-api/requests/act.ts';
import { brokenRule, Problem } from '#operator-api/requests/problems.ts';
import type { contractControlEndpoints } from '#operator-api/sandbox/contract-control-endpoints.ts';
import { amountText, listedAssets } from '#operator-api/wallet/listed-assets.ts';

type Endpoints = typeof contractControlEndpoints;

const hourMs = 3_600_000;
/** The index is a second behind the clock, and where time passes coarsely a quarter of an hour. */
const slackMs = 1_000_000;
const rateDecimals = 8;
const source = 'LIQUIDATION';
/** So far beyond the price at which the fair price is sure to be low enough, in parts per million. */
const beyondPpm = 2_000;

const termsOf = ({ id: _id, createdAt: _createdAt, ...terms }: ContractRules): ContractListing => terms;

/** Handlers of what contracts do seldom. DEC-KIT-67, DEC-KIT-68. */
export function contractControlHandlers(context: OperatorContext): HandlersOf<Endpoints> {
  const { queries, clock, feed, operatorFeed, priceIndex } = context;
  const once = createRequestMemory(context);
  const configure = (act: Act, contract: ContractListing) => act({ kind: 'configureContract', contract });
  /** The next funding of a contract, to which the clock is advanced; `null`: none came. */
  const nextFunding = async (time: ClockControls, { id }: ContractRules): Promise<FundingSettlement | null> => {
    let funding: FundingSettlement | null = null;
    const end = feed.subscribe({
      fact: (fact) => {
        if (fact.kind === 'fundingSettled' && fact.funding.contract === id) funding ??= fact.funding;
      },
    });
    try {
      const toHourMs = hourMs - (clock.now() % hourMs);
      await time.advance(toHourMs + slackMs, { isOver: () => funding !== null });
      return funding;
    } finally {
      end();
    }
  };
  return {
    settleFunding: (request) =>
      once('settleFunding', request, async () => {
        const { contract: name, ratePpm } = request.body;
        const { time } = context;
        if (time === null) throw new Problem('unknownPath');
        const rules = (await listedContracts(queries)).ofBody(name, '/contract');
        const mark = await queries.contracts.mark(rules.id);
        if (rules.state !== 'enabled' || mark === null || mark.index === 0)
          throw brokenRule('/contract', 'must be enabled, and have an index price');
        if (time.state().advance !== null) throw new Problem('clockAdvancing');
        const terms = termsOf(rules);
        const bounds = ratePpm === null ? {} : { minFundingPpm: ratePpm, maxFundingPpm: ratePpm };
        await configure(request.actUnkeyed, { ...terms, ...bounds, fundingHours: 1 });
        const funding = await nextFunding(time, rules).finally(() => configure(request.actUnkeyed, terms));
        if (funding === null) throw new Problem('outcomeUnknown', { detail: 'No funding came: there was no index.' });
        const asset = (await listedAssets(queries)).at(rules.settle);
        return {
          contract: name,
          rate: formatDecimal(funding.rate, rateDecimals),
          fair: formatDecimal(funding.fair, markDecimals),
          paid: amountText(funding.paid, asset),
          received: amountText(funding.received, asset),
          at: funding.at,
          now: clock.now(),
        };
      }),
    liquidatePosition: (request) =>
      once('liquidatePosition', request, async () => {
        const { uid, contract: name, seconds } = request.body;
        const { account } = await accountOfUid(queries, uid);
        const rules = (await listedContracts(queries)).ofBody(name, '/contract');
        const position = await queries.contracts.position(account, rules.id);
        if (position === null) throw brokenRule('/uid', 'must have a position in the contract');
        const { liquidationPrice, lots } = position;
        if (liquidationPrice === null) throw brokenRule('/uid', 'has a position that no price liquidates');
        const price = priceToLiquidate(liquidationPrice, lots > 0, rules);
        if (!Number.isSafeInteger(price) || price === 0)
          throw brokenRule('/uid', 'has a position whose liquidation price no index can pass');
        const at = as<TimestampMs>(clock.now());
        const liveUntil = as<TimestampMs>(at + seconds * 1000);
        const given = { name: source, weight: indexWeightMax, price, at, liveUntil };
        if (!operatorFeed.give(rules.id, given)) throw new Problem('tooManyIndexSources');
        if ((await priceIndex.read(rules, at)).price !== price) {
          operatorFeed.remove(rules.id, source);
          throw brokenRule('/contract', 'must have no other index sources that operators give prices of');
        }
        return {
          uid,
          contract: name,
          liquidationPrice: formatDecimal(liquidationPrice, rules.priceDecimals),
          indexPrice: formatDecimal(price, markDecimals),
          until: liveUntil,
        };
      }),
  };
}

/** The index at which the fair price, wherever it may be around it, liquidates a position; in steps of marks. */
function priceToLiquidate(ticks: number, isLong: boolean, { fairLimitPpm, priceDecimals }: ContractRules): number {
  const mark = BigInt(ticks) * 10n ** BigInt(markDecimals - priceDecimals);
  const away = BigInt(fairLimitPpm + beyondPpm);
  const ppm = BigInt(million);
  return Number((mark * (isLong ? ppm - away : ppm + away)) / ppm);
}
