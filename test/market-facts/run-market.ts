import type { Listing } from '#sequencer/queries/exchange-queries.ts';
import { as } from '#model/units.ts';
import { updateIndices } from '#jobs/update-indices.ts';
import { createPriceIndex } from '#market-data/price-index/index-mean.ts';
import { createSpotFeed } from '#market-data/price-index/spot-feed.ts';
import { type Sandbox, startSandbox } from '../simulation/sandbox-harness.ts';
import { minuteMs } from './minute-bars.ts';
import { type Market, MarketTape } from './market-tape.ts';

/** How much of a market is measured. */
export interface RunPlan {
  readonly seed: string;
  /** Where history ends and live trading begins: a whole window of five minutes. */
  readonly seam: number;
  /** Length of the history. The agents' steps depend on their age, so the last days of a longer one are the same. */
  readonly historyMs: number;
  /** Time that is traded in steps as wide as those of the running exchange. */
  readonly liveMs: number;
  readonly tell: (text: string) => void;
}

const candleMs = 5 * minuteMs;
const secondMs = 1_000;
const hourMs = 60 * minuteMs;

/** Pairs and contracts of a listing. */
export function marketsOf({ assets, symbols, contracts = [] }: Listing): readonly Market[] {
  const assetOf = new Map(assets.map((asset) => [asset.id, asset]));
  const pairs = symbols.map((rules) => ({ ...rules, isContract: false }));
  const futures = contracts.map((rules) => ({ ...rules, quote: rules.settle, isContract: true }));
  return [...pairs, ...futures].map(({ id, name, isContract, base, quote, priceDecimals, takerFeePpm }) => ({
    id,
    name,
    isContract,
    base: assetOf.get(base)!.code,
    quote: assetOf.get(quote)!.code,
    ticksPerUnit: 10 ** priceDecimals,
    takerFeePpm,
    quantaPerUnit: 10 ** assetOf.get(quote)!.scale,
  }));
}

/** Lets time pass, with an index of contracts every second as the running exchange has it. */
async function passLive(sandbox: Sandbox, tape: MarketTape, { liveMs, tell }: RunPlan): Promise<void> {
  const { queries, sequencer } = sandbox;
  const { symbols } = await queries.listing();
  const spot = createSpotFeed({
    symbols: async () => symbols,
    pricesOf: async (symbol) => {
      const { bid, ask } = tape.best(symbol);
      return { bid: bid?.price ?? null, ask: ask?.price ?? null, last: await queries.lastPrice(symbol) };
    },
    weight: 1,
  });
  const ports = { submit: sequencer.submit.bind(sequencer), queries, index: createPriceIndex([spot]) };
  for (let passed = 0; passed < liveMs; passed += secondMs) {
    if (passed % hourMs === 0) tell(`live, hour ${passed / hourMs + 1} of ${Math.ceil(liveMs / hourMs)}`);
    // what the harness keeps is not needed, and grows
    if (passed % minuteMs === 0) sandbox.trades.length = 0;
    await sandbox.pass(secondMs);
    await updateIndices(ports, as(sandbox.clock.now()));
  }
}

/** Opens what made a history as the exchange that serves after it does: as a new process whose agents know nothing. */
async function tradeLive(maker: Sandbox, tape: MarketTape, plan: RunPlan): Promise<void> {
  await maker.simulation.stop();
  const sandbox = startSandbox(plan.seed, plan.seam, maker.engine);
  sandbox.sequencer.subscribe(tape.sink);
  await sandbox.open();
  await sandbox.openWallet();
  await sandbox.openContracts();
  await sandbox.simulation.start();
  await passLive(sandbox, tape, plan);
  await sandbox.simulation.stop();
}

/**
 * Makes a sandbox in memory, lets its agents make a history and trade live, and notes it on a tape. All parts are
 * those of a first start, with the same steps; only the disk is missing, and time passes as fast as it can.
 */
export async function runMarket(plan: RunPlan): Promise<MarketTape> {
  const { seam, tell } = plan;
  const sandbox = startSandbox(plan.seed, seam);
  sandbox.clock.set(seam - plan.historyMs);
  await sandbox.open();
  await sandbox.openWallet();
  await sandbox.openContracts();
  const from = Math.ceil((seam - plan.historyMs) / candleMs) * candleMs;
  const span = { from, until: seam + Math.floor(plan.liveMs / candleMs) * candleMs, liveFrom: seam };
  const tape = new MarketTape(marketsOf(await sandbox.queries.listing()), span);
  sandbox.sequencer.subscribe(tape.sink);
  await sandbox.simulation.seedHistory({
    now: seam,
    onProgress: ({ text, done }) => {
      sandbox.trades.length = 0;
      tell(`${text} (${Math.round(done * 100)} %)`);
    },
  });
  if (plan.liveMs > 0) await tradeLive(sandbox, tape, plan);
  tape.end();
  return tape;
}
