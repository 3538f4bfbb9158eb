import { houseAccountCount } from '#model/account.ts';
import type { Entry } from '#model/command.ts';
import type { Event } from '#model/event-record.ts';
import { createEventRecorder } from '#model/event-record.ts';
import type { SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { StateMachine } from '#engine/create-engine.ts';
import { createEngine } from '#engine/create-engine.ts';
import { balancesOf, houseBalance, levelsOf, openOrdersOf } from '#engine/queries/engine-queries.ts';
import { NaiveExchange } from './naive-exchange.ts';
import { canonicalText } from '#base/checksum.ts';

const tradingKinds = new Set([
  'orderAccepted',
  'orderRepeated',
  'orderRefused',
  'cancelRefused',
  'tradeExecuted',
  'rebateAccrued',
  'rebatesSettled',
  'rebatesRejected',
  'orderFilled',
  'orderClosed',
  'levelChanged',
  'posted',
]);

/** Equality of plain records without building text: this runs a few million times. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const first = one as Record<string, unknown>;
  const second = other as Record<string, unknown>;
  const names = Object.keys(first);
  if (names.length !== Object.keys(second).length) return false;
  for (const name of names) if (!isSame(first[name], second[name])) return false;
  return true;
}

/** The engine and the model, fed with the same entries. Throws at the first difference, with what led to it. */
export class SideBySide {
  engine: StateMachine = createEngine();
  readonly model = new NaiveExchange();
  readonly #recent: Entry[] = [];
  readonly #recorder = createEventRecorder();

  /** Applies an entry to both and answers all events of the engine. */
  apply(entry: Entry): readonly Event[] {
    this.#recorder.events = [];
    this.engine.apply(entry, this.#recorder);
    const { events } = this.#recorder;
    this.compare(entry, events);
    return events;
  }

  /** Applies an entry to the model, and holds what the engine told of it against that. */
  compare(entry: Entry, events: readonly Event[]): void {
    this.#recent.push(entry);
    if (this.#recent.length > 6) this.#recent.shift();
    const got = events.filter((event) => tradingKinds.has(event.kind));
    const expected = this.model.apply(entry);
    const count = Math.max(got.length, expected.length);
    for (let index = 0; index < count; index += 1) {
      if (!isSame(got[index], expected[index]))
        this.#fail(`event ${index}`, got.slice(index, index + 3), expected.slice(index, index + 3));
    }
  }

  /** Holds balances, open orders and levels against each other. */
  compareStates(): void {
    const { state } = this.engine;
    const { accounts, scales } = this.model.state;
    for (let account = 0; account < accounts.length; account += 1) {
      const got = account < houseAccountCount ? [] : balancesOf(state, as(account));
      for (let id = 0; id < scales.length; id += 1) {
        const row = got.find((balance) => balance.asset === id);
        const free = account < houseAccountCount ? houseBalance(state, as(account), as(id)) : (row?.free ?? 0n);
        const pair = [free, row?.held ?? 0n];
        const expected = [this.model.state.freeOf(account, id), this.model.state.heldOf(account, id)];
        if (!isSame(pair, expected)) this.#fail(`balance of account ${account} in asset ${id}`, pair, expected);
      }
      if (account >= houseAccountCount) {
        this.#expect(
          `open orders of account ${account}`,
          openOrdersOf(state, as(account), null),
          this.model.openOrders(account),
        );
      }
    }
    for (let id = 0; id < this.model.state.symbols.length; id += 1) {
      for (const side of ['buy', 'sell'] as const) {
        this.#expect(`levels ${side} of ${id}`, levelsOf(state, as<SymbolId>(id), side), this.model.levels(id, side));
      }
    }
  }

  #expect(what: string, got: unknown, expected: unknown): void {
    if (!isSame(got, expected)) this.#fail(what, got, expected);
  }

  #fail(what: string, got: unknown, expected: unknown): never {
    const entries = this.#recent.map((entry) => `  ${canonicalText(entry)}`).join('\n');
    const list = (value: unknown): string =>
      Array.isArray(value) ? value.map((item) => `\n    ${canonicalText(item)}`).join('') : canonicalText(value);
    throw new Error(`${what} differs after\n${entries}\n  engine:${list(got)}\n  model:${list(expected)}`);
  }
}
