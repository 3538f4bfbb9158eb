import { adjustableHouse, adjustmentKinds } from '#model/adjustment.ts';
import { house } from '#model/account.ts';
import type { Command } from '#model/command.ts';
import { as, type AccountId, type AssetId, type Balance } from '#model/units.ts';
import { walletKinds } from '#model/wallet.ts';
import { freeOf } from '#engine/money/free-balance.ts';
import { walletOf } from '#engine/wallet/transferable.ts';
import type { EngineState } from '#engine/state/state.ts';
import { operated } from '../operated.ts';
import { lotsOf } from './chance.ts';
import { anyAccount, asset, type FuzzWorld, users } from './fuzz-world.ts';

const owners = lotsOf([
  [5, 'user'],
  [4, 'house'],
  [0.1, 'nobody'],
] as const);
const actors = ['olga', 'Olga', 'pete', 'tess', 'root'] as const;
const texts = ['why', 'why', 'why', '', 'x'.repeat(501), '\ud83d\ude00'.repeat(500)] as const;
const houses = Object.values(adjustableHouse);

/** Adjustments at the edges: all that is free, one more, debts paid off to the unit, and what does not go together. */
export class AdjustmentMaker {
  readonly #world: FuzzWorld;

  constructor(world: FuzzWorld) {
    this.#world = world;
  }

  make(state: EngineState): Command {
    const { chance } = this.#world;
    const type = chance.pick([...adjustmentKinds, 'credit', 'debit', 'correction'] as const);
    const isBeyond = type === 'capitalIn' || type === 'revenueOut';
    const owner = isBeyond && chance.in(0.9) ? 'house' : chance.draw(owners);
    const wallet = owner === 'house' ? null : chance.pick([...walletKinds, 'spot' as const, 'spot' as const]);
    const account = as<AccountId>(
      {
        user: () => anyAccount(chance),
        house: () =>
          type === 'revenueOut' && chance.in(0.8)
            ? house.fees
            : chance.in(0.03)
              ? chance.pick([0, 3, 2 ** 27 + 2, 2 ** 27 + 6, 2 ** 27 + 7])
              : chance.pick(houses),
        nobody: () => chance.pick([users.length + 99, -1, 2 ** 32]),
      }[owner](),
    );
    const id = as<AssetId>(chance.in(0.01) ? chance.pick([9, -1]) : chance.below(Object.keys(asset).length));
    const amount = this.#amount(state, wallet === null ? account : walletOf(account, wallet), id);
    const isTaken = chance.in(type === 'correction' ? 0.5 : 0.02);
    const command = {
      ...({ kind: 'adjustBalance', account, wallet, asset: id, type } as const),
      amount: as<Balance>(isTaken ? -amount : amount),
      reason: chance.pick(texts),
      reference: chance.pick([null, null, 'T-1', '', 'y'.repeat(129)]),
    };
    if (chance.in(0.02)) return command;
    const idempotencyKey = chance.pick([null, null, null, `a${chance.below(10)}`]);
    return operated(chance.pick(actors), command, { idempotencyKey });
  }

  #amount(state: EngineState, account: AccountId, id: AssetId): bigint {
    const { chance } = this.#world;
    const isKnown = Number.isSafeInteger(account) && account >= 0 && account < 2 ** 28 && state.assets.has(id);
    const free = isKnown ? freeOf(state, account, id) : 0n;
    const has = free < 0n ? -free : free;
    return chance.pick([
      1n,
      2n,
      7n,
      has,
      has,
      has + 1n,
      has / 2n + 1n,
      10n ** 9n,
      0n,
      2n ** 61n,
      2n ** 62n - 1n,
      2n ** 62n,
    ]);
  }
}
