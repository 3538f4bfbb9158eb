import { houseAccountCount } from '#model/account.ts';
import type { Command } from '#model/command.ts';
import { noopSink } from '#model/event-record.ts';
import type { Side } from '#model/order.ts';
import type { AccountId, AssetId, Balance, SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { StateMachine } from '#engine/create-engine.ts';
import { createEngine } from '#engine/create-engine.ts';
import { contractOf, futuresFunds } from './contract-set-up.ts';
import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { alone, atMost, compared, interleave, median, timed } from './harness.ts';
import { walletValuedIn } from './wallet-rules.ts';

const positions = 10_000;
const contract = as<SymbolId>(0);
const settle = as<AssetId>(1);
const began = 1_700_000_000_000;
/** In ticks, of which an index has 10^6 steps. */
const middle = 100_000;
const stepsPerTick = 1_000_000;
const funds = as<Balance>(10n ** 12n);
const firstAccount = houseAccountCount;

/** Every other account has a position in a contract's margin of its own, the rest share all of their wallet. */
function* accountCommands(count: number): Generator<Command> {
  const person = { name: '', master: null, class: 'user', kycLevel: 1, simulated: false } as const;
  for (let index = 0; index < count; index += 1) {
    const account = as<AccountId>(firstAccount + index);
    yield { kind: 'openAccount', uid: as(10_000_000 + index), ...person };
    yield* futuresFunds(account, settle, funds);
  }
  yield { kind: 'configureContract', contract: contractOf(as(0), settle) };
  for (let index = 0; index < count; index += 2) {
    const account = as<AccountId>(firstAccount + index);
    yield { kind: 'setLeverage', account, contract, mode: 'isolated', leverage: 10 };
  }
}

const limitOrder = (account: number, side: Side, price: number, lots: number): Command => ({
  kind: 'placeOrder',
  account: as(account),
  order: {
    ...{ symbol: contract, side, kind: 'limit', price: as(price), quantity: as(lots), budget: null },
    ...{ clientOrderId: null, stpMode: 'none' },
  },
});

/** Half of the accounts is long, the other half short, each at a price of its own; a quote stands on both sides. */
function* tradeCommands(count: number): Generator<Command> {
  for (let pair = 0; pair < count / 2; pair += 1) {
    const price = middle - 50 + (pair % 101);
    yield limitOrder(firstAccount + pair, 'sell', price, 1 + (pair % 50));
    yield limitOrder(firstAccount + count / 2 + pair, 'buy', price, 1 + (pair % 50));
  }
  yield limitOrder(firstAccount, 'buy', middle - 60, 1000);
  yield limitOrder(firstAccount + 1, 'sell', middle + 60, 1000);
}

/** An exchange in which so many accounts have a position. */
class MarkedExchange {
  readonly #engine: StateMachine = createEngine();
  readonly #count: number;
  #at = began;
  #updates = 0;

  constructor(count: number) {
    this.#count = count;
    for (const code of ['BASE', 'COIN']) {
      const asset = { code, fullName: '', scale: 8, cap: as<Balance>(2n ** 62n - 1n), coinId: '0'.repeat(32) };
      this.#apply({ kind: 'configureAsset', asset });
    }
    this.#apply({ kind: 'configureWallet', rules: walletValuedIn(settle) });
    for (const command of accountCommands(count)) this.#apply(command);
    this.#apply(this.#nextIndex());
    for (const command of tradeCommands(count)) this.#apply(command);
    this.#check();
  }

  /** Milliseconds of one update: the median of so many, a second of the exchange's clock apart. */
  update(times: number): number {
    const took = Array.from({ length: times }, () => {
      const command = this.#nextIndex();
      this.#at += 1000;
      return timed(() => this.#apply(command)) * 1000;
    });
    this.#check();
    return median(took);
  }

  /** An index within a tenth of a percent of where everybody traded: nobody is liquidated. */
  #nextIndex(): Command {
    this.#updates += 1;
    const ticks = middle + ((this.#updates * 37) % 200) - 100;
    return { kind: 'updateIndices', prices: [{ contract, price: ticks * stepsPerTick }] };
  }

  #apply(command: Command): void {
    const refused = (reason: string): never => {
      throw new Error(`${command.kind} was refused: ${reason}`);
    };
    this.#engine.apply(
      { seq: as(this.#engine.seq + 1), epoch: as(0), at: as(this.#at), command },
      {
        ...noopSink,
        fact: (fact) => (fact.kind === 'commandRefused' ? refused(fact.reason) : undefined),
        orderRefused: (_account, _symbol, reason) => refused(reason),
      },
    );
  }

  #check(): void {
    const open = this.#engine.state.positions.openCount(contract);
    if (open !== this.#count) throw new Error(`${open} positions are open`);
  }
}

async function run(size: BenchSize, report: (line: BenchLine) => void): Promise<void> {
  const times = size.quick ? 40 : 200;
  const many = new MarkedExchange(positions);
  const few = new MarkedExchange(positions / 10);
  const results = await interleave({ many: () => many.update(times), few: () => few.update(times) }, size.samples);
  const each = ((median(results.many) / positions) * 1e6).toFixed(0);
  const beside = { unit: 'ms', note: `one update of the index beside ${positions} positions, ${each} ns each` };
  report(alone({ ...beside, name: 'futures/mark', must: atMost(5), aim: atMost(1) }, results.many));
  report(
    compared(
      {
        ...{ name: 'futures/mark-cost', unit: 'ms', must: atMost(12), aim: atMost(10) },
        note: `the same, against an update beside ${positions / 10} positions`,
      },
      results.many,
      results.few,
    ),
  );
}

/** What an update of the index costs with positions to look at, and how that grows. */
export const group: BenchGroup = { names: ['futures/mark', 'futures/mark-cost'], run };
