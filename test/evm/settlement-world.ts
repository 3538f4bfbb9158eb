import { house, innerHouse } from '#model/account.ts';
import type { Command, Entry } from '#model/command.ts';
import type { AccountId, Uid } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { NetworkCustody } from '#custody/custody.ts';
import type { CommandIngress, Outcome } from '#sequencer/command-ingress.ts';
import { firstDemoPrices } from '#sandbox/demo-prices.ts';
import { demoAssets } from '#sandbox/listing.ts';
import { demoAssetNetworks, demoBlockMs, demoWalletRules } from '#sandbox/wallet-listing.ts';
import { reconcile } from '#custody/settlement/reconcile.ts';
import type { ChainSettlement, PayingState } from '#custody/settlement/settlement.ts';
import { startSettlement } from '#custody/settlement/settlement.ts';
import type { TestExchange } from '../exchange-harness.ts';
import { startExchange } from '../exchange-harness.ts';
import type { EvmWorld } from './evm-harness.ts';

/** The process died: nobody hears the answer. */
class Crashed extends Error {}

/** Decides whether the process dies before or after a call; `point` names both. */
export type Crash = (point: string) => boolean;

/** The account of these tests. */
export const alice = as<AccountId>(4);

/** An exchange whose coins ETH and USDT live on a real chain. */
export interface EvmSettlement {
  readonly exchange: TestExchange;
  readonly troubles: string[];
  /** What operators were told of withdrawals that wait and payments that nobody knows. */
  readonly notices: string[];
  /** Asked at every call of settlement; a death is followed by a new process. */
  crash: Crash;
  payingState(): PayingState;
  /** Ends the process and starts a new one. */
  restart(): void;
  must(command: Command): Promise<Outcome>;
  /** Polls the chain once; answers whether the process lived through it. */
  look(): Promise<boolean>;
  /** Polling at the chain once, then mines a block. */
  turn(): Promise<void>;
  free(code: string): bigint;
  /** What custody has beyond what the ledger explains, in the ledger's units; fails where the chain does not answer. */
  difference(code: string): Promise<bigint>;
  /** By the ledger: what came over the chain and is still here, and what its fees cost the house. */
  onLedger(code: string): { readonly here: bigint; readonly gas: bigint };
  withdraw(code: string, to: string, amount: bigint): Promise<number>;
}

/**
 * Opens the exchange; alice has the deposit address with index 0. Everything is final at 3 confirmations. `backup`:
 * entries of another one, which is restored as it was then.
 */
export async function openEvmSettlement(
  world: EvmWorld,
  { backup = [], custody = () => world.custody() }: RestoredFrom = {},
): Promise<EvmSettlement> {
  const exchange = startExchange(undefined, backup);
  const troubles: string[] = [];
  const notices: string[] = [];
  let monotonic = 0;
  let settlement: ChainSettlement | null = null;
  let hasDied = false;
  const must = async (command: Command): Promise<Outcome> => {
    const outcome = await exchange.submit(command);
    const refused = outcome.events.find((event) => event.kind === 'commandRefused');
    if (refused !== undefined) throw new Error(`${command.kind} was refused: ${refused.reason}`);
    return outcome;
  };
  const asset = (code: string) => exchange.engine.state.assets.find(code)!.id;
  const balance = (account: AccountId, code: string): bigint => {
    const { balances } = exchange.engine.state.ledger;
    const row = balances.find(account, asset(code));
    return row < 0 ? 0n : balances.free.get(row);
  };
  const dying = async <Answer>(what: string, run: () => Promise<Answer>): Promise<Answer> => {
    if (hasDied) throw new Crashed();
    hasDied ||= opened.crash(`before ${what}`);
    if (hasDied) throw new Crashed();
    const answer = await run();
    hasDied ||= opened.crash(`after ${what}`);
    if (hasDied) throw new Crashed();
    return answer;
  };
  const start = (): void => {
    hasDied = false;
    const ingress: CommandIngress = {
      submit: (command) => {
        const event = command.kind === 'advanceWithdrawal' ? ` ${command.event}` : '';
        return dying(command.kind + event, () => exchange.submit(command));
      },
      post: (command) => exchange.sequencer.post(command),
    };
    settlement = startSettlement({
      custody: new Map([['ETH', dyingCustody(custody(), dying)]]),
      ingress,
      queries: exchange.queries,
      clock: exchange.clock,
      monotonic: { now: () => monotonic },
      repeat: () => () => {},
      everyMs: 1000,
      notice: (message) => void notices.push(message),
      onTrouble: (what, error) => {
        if (!(error instanceof Crashed)) troubles.push(`${what}: ${(error as Error).message}`);
      },
    });
  };
  const opened: EvmSettlement = {
    exchange,
    troubles,
    notices,
    crash: () => false,
    payingState: () => settlement!.payingState('ETH')!,
    restart: start,
    must,
    look: async () => {
      exchange.clock.time += demoBlockMs;
      monotonic += 30_000;
      await settlement!.run();
      const hasLived = !hasDied;
      if (hasDied) start();
      return hasLived;
    },
    turn: async () => {
      await opened.look();
      await world.anvil.mine();
    },
    free: (code) => balance(alice, code),
    difference: async (code) => {
      const rows = await reconcile(exchange.queries, new Map([['ETH', world.custody()]]));
      const row = rows.find((each) => each.asset.code === code)!;
      if (!row.isComplete) throw new Error(`${code}: the chain does not answer`);
      return row.difference;
    },
    onLedger: (code) => ({ here: -balance(house.outside, code), gas: balance(innerHouse.gas, code) }),
    withdraw: async (code, to, amount) => {
      const asked = { account: alice, asset: asset(code), network: 'ETH', address: to, memo: null };
      const outcome = await must({
        kind: 'requestWithdrawal',
        ...asked,
        amount: as(amount),
        withdrawOrderId: null,
        remark: null,
      });
      for (const event of outcome.events) if (event.kind === 'withdrawalChanged') return event.withdrawal.withdrawal;
      throw new Error('a withdrawal was made');
    },
  };
  if (backup.length === 0) {
    await listCoins(exchange, must, world.token);
    const address = (await world.custody().depositAddress(0))!;
    await must({ kind: 'assignDepositAddress', account: alice, network: 'ETH', index: 0, ...address });
  }
  start();
  return opened;
}

/** What a restored exchange goes on from, and how it makes its custody. */
interface RestoredFrom {
  readonly backup?: readonly Entry[];
  readonly custody?: () => NetworkCustody;
}

async function listCoins(
  { queries }: TestExchange,
  must: (command: Command) => Promise<Outcome>,
  token: string,
): Promise<void> {
  for (const asset of demoAssets) await must({ kind: 'configureAsset', asset });
  const user = {
    uid: as<Uid>(10_000_001),
    name: 'alice',
    master: null,
    class: 'user' as const,
    kycLevel: 4 as const,
  };
  await must({ kind: 'openAccount', ...user, simulated: false });
  const { assets } = await queries.listing();
  for (const network of demoAssetNetworks(assets)) {
    const { code } = assets[network.asset]!;
    if (network.network !== 'ETH' || !['ETH', 'USDT'].includes(code)) continue;
    const contract = code === 'ETH' ? null : token;
    await must({ kind: 'configureAssetNetwork', network: { ...network, contract, scale: 18, minConfirm: 3 } });
  }
  const usdt = assets.find(({ code }) => code === 'USDT')!;
  for (const price of firstDemoPrices(assets, usdt.id)) await must({ ...price, validMs: 10 ** 12 } as Command);
  await must({ kind: 'configureWallet', rules: demoWalletRules(usdt) });
}

type Dying = <Answer>(what: string, run: () => Promise<Answer>) => Promise<Answer>;

function dyingCustody(custody: NetworkCustody, dying: Dying): NetworkCustody {
  return {
    network: custody.network,
    isPaying: custody.isPaying,
    addressCountMax: custody.addressCountMax,
    isReading: custody.isReading,
    depositAddress: (index) => custody.depositAddress(index),
    observe: (request) => dying('observe', () => custody.observe(request)),
    placesOf: (payments) => dying('placesOf', () => custody.placesOf(payments)),
    sign: (payment, nonceFrom, paidLastHour) => dying('sign', () => custody.sign(payment, nonceFrom, paidLastHour)),
    readSigned: (transaction) => custody.readSigned(transaction),
    send: (transaction) => dying('send', () => custody.send(transaction)),
    fateOf: (transaction) => dying('fateOf', () => custody.fateOf(transaction)),
    replacementFor: (payment, sent) => dying('replacementFor', () => custody.replacementFor(payment, sent)),
    sentPayments: (request) => dying('sentPayments', () => custody.sentPayments(request)),
    describePayment: (name, since) => dying('describePayment', () => custody.describePayment(name, since)),
    sweep: (count) => dying('sweep', () => custody.sweep(count)),
    sweepsSince: (position, count) => dying('sweepsSince', () => custody.sweepsSince(position, count)),
    status: (contracts) => custody.status(contracts),
    holdings: (contracts, count) => custody.holdings(contracts, count),
  };
}
