import { dayMs } from '#base/calendar.ts';
import type { PollingWorker } from '#base/polling.ts';
import type { Command } from '#model/command.ts';
import { rebateDayOf } from '#model/rebate.ts';
import { type AccountId, as, type Balance, type Lots, type PriceTicks, type TimestampMs } from '#model/units.ts';
import type { CommandIngress, Outcome } from '#sequencer/command-ingress.ts';
import { startRebateSettlement } from '#jobs/settle-rebates.ts';
import { startExchange, type TestExchange } from '../exchange-harness.ts';
import { listingOf } from '../permissive-listing.ts';

const assets = ['BTC', 'USDT'] as const;
export type Coin = (typeof assets)[number];
/** Both assets have 8 decimals. */
export const whole = 10n ** 8n;
/** Decimals of quantities: a lot is 0.0001 BTC. */
const unitsPerLot = 10_000n;
const takerPpm = 2000n;
const referralPpm = 200_000n;

/** What a referral of 20 % gives of a purchase of so many lots at a commission of 0.2 %. DEC-ORD-03, DEC-SUB-05. */
export function referralOf(lots: number): bigint {
  const bought = BigInt(lots) * unitsPerLot;
  const commission = (bought * takerPpm + 999_999n) / 1_000_000n;
  return (commission * referralPpm) / 1_000_000n;
}

const orderOf = (lots: number) => ({ price: as<PriceTicks>(10_000), quantity: as<Lots>(lots) });

/**
 * An exchange where mia makes the market, and people trade who were invited; its daily settlement can die at any
 * command and start again. Days are counted from the one on which it opens.
 */
export class RebateWorld {
  readonly exchange: TestExchange = startExchange();
  readonly troubles: string[] = [];
  /** Throws where the process dies or the exchange takes no command. */
  fault: (command: Command, step: 'before' | 'after') => void = () => {};
  readonly firstDay = rebateDayOf(as<TimestampMs>(this.exchange.clock.time));
  private readonly accounts = new Map<string, AccountId>();
  private settlement: PollingWorker | null = null;
  private look = (): void => {};

  static async open(): Promise<RebateWorld> {
    const world = new RebateWorld();
    for (const code of assets) {
      const asset = { code, fullName: code, scale: 8, cap: as<Balance>(2n ** 61n), coinId: '0'.repeat(32) };
      await world.must({ kind: 'configureAsset', asset });
    }
    const symbol = listingOf({ name: 'BTCUSDT', base: as(0), quote: as(1), makerFeePpm: 0 });
    await world.must({ kind: 'configureSymbol', symbol });
    await world.register('mia');
    await world.must({ kind: 'creditFunds', account: world.account('mia'), asset: as(0), amount: as(1000n * whole) });
    await world.restart();
    return world;
  }

  /** Opens accounts, each with 1,000 USDT. */
  async register(name: string, inviteCode: string | null = null): Promise<void> {
    const person = { uid: null, name, class: 'user', kycLevel: 1, simulated: false } as const;
    const contact = { email: null, mobile: null };
    const { events } = await this.must({ kind: 'registerAccount', ...person, ...contact, inviteCode });
    const opened = events.find((event) => event.kind === 'accountOpened');
    const { account } = opened!.account;
    this.accounts.set(name, account);
    await this.must({ kind: 'creditFunds', account, asset: as(1), amount: as(1000n * whole) });
  }

  account(name: string): AccountId {
    return this.accounts.get(name)!;
  }

  /** The code under which an account always invites. */
  async codeOf(name: string): Promise<string> {
    const [first] = await this.exchange.queries.rebates.inviteCodesOf(this.account(name));
    return first!.code;
  }

  /** Somebody buys lots from mia at 100 USDT for 1 BTC. */
  async buy(name: string, lots: number): Promise<void> {
    await this.offer(lots);
    await this.take(name, lots);
  }

  /** Mia offers lots. */
  async offer(lots: number): Promise<void> {
    await this.exchange.place(this.account('mia'), { ...orderOf(lots), side: 'sell' });
  }

  /** Somebody buys of what mia offers. */
  async take(name: string, lots: number): Promise<void> {
    await this.exchange.place(this.account(name), { ...orderOf(lots), side: 'buy' });
  }

  /** Starts settlement anew, as a new process would. */
  async restart(): Promise<void> {
    await this.settlement?.stop();
    const { exchange } = this;
    const ingress: CommandIngress = {
      submit: async (command): Promise<Outcome> => {
        this.fault(command, 'before');
        const outcome = await exchange.sequencer.submit(command);
        this.fault(command, 'after');
        return outcome;
      },
      post: (command) => exchange.sequencer.post(command),
    };
    this.settlement = startRebateSettlement({
      ingress,
      queries: exchange.queries,
      clock: exchange.clock,
      repeat: (_everyMs, run) => {
        this.look = run;
        return () => {
          this.look = () => {};
        };
      },
      everyMs: 1000,
      onTrouble: (what, error) => void this.troubles.push(`${what}: ${(error as Error).message}`),
    });
  }

  /** A look of the timer, until it is over. */
  async turn(): Promise<void> {
    this.look();
    await this.settlement!.run();
  }

  /** Only what the timer does. */
  async timerLook(): Promise<void> {
    this.look();
    await new Promise((resolve) => setImmediate(resolve));
  }

  stop(): Promise<void> {
    return this.settlement!.stop();
  }

  /** Sets the clock to a moment of a day. */
  goTo(day: number, ms = 0): void {
    this.exchange.clock.time = this.firstDay + day * dayMs + ms;
  }

  /** Days that settlement submitted, in order, as their number. */
  settledDays(): readonly number[] {
    return this.exchange.entries.flatMap(({ command }) =>
      command.kind === 'settleRebates' ? [(command.day - this.firstDay) / dayMs] : [],
    );
  }

  /** What stands in the spot wallet of an account. */
  free(name: string, coin: Coin): bigint {
    return this.freeOf(this.account(name), coin);
  }

  freeOf(account: AccountId, coin: Coin): bigint {
    const { balances } = this.exchange.engine.state.ledger;
    const row = balances.find(account, as(assets.indexOf(coin)));
    return row < 0 ? 0n : balances.free.get(row);
  }

  async must(command: Command): Promise<Outcome> {
    const outcome = await this.exchange.submit(command);
    for (const event of outcome.events)
      if (event.kind === 'commandRefused') throw new Error(`${command.kind} was refused: ${event.reason}`);
    return outcome;
  }
}
