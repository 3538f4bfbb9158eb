import type { Command } from '#model/command.ts';
import { engineLimits } from '#model/limits.ts';
import { as, type AssetId, type Balance } from '#model/units.ts';
import type { WalletRules } from '#model/wallet.ts';
import type { EngineState } from '#engine/state/state.ts';
import { lotsOf } from './chance.ts';
import { asset, type FuzzWorld } from './fuzz-world.ts';
import { anyWalletRules } from './transfer-maker.ts';
import { operated } from '../operated.ts';

type Plain = Exclude<Command, { kind: 'operate' }>;

const makes = lotsOf([
  [4, 'rules'],
  [2, 'network'],
  [2, 'price'],
  [1, 'alone'],
  [5, 'approve'],
  [2, 'cancel'],
  [2, 'end'],
  [0.05, 'many'],
] as const);
const actors = ['olga', 'Olga', 'pete', 'PETE', 'tess', 'root'] as const;
const bounds = [null, 0n, 1n, 10n ** 9n, 2n ** 61n] as const;

/** Rules that operators raise and lower, in production by two of them, and what becomes of what waits. */
export class ProposalMaker {
  readonly #world: FuzzWorld;
  readonly #now: (commands: readonly Command[]) => void;

  /** `now`: puts commands before all others. */
  constructor(world: FuzzWorld, now: (commands: readonly Command[]) => void) {
    this.#world = world;
    this.#now = now;
  }

  make(state: EngineState): Command {
    const { chance } = this.#world;
    const make = chance.draw(makes);
    if (make === 'end') return { kind: 'endProposals' };
    if (make === 'many') return this.#many();
    const command: Plain = {
      rules: () => this.#rules(state),
      network: () => this.#network(state),
      price: () => this.#price(),
      alone: (): Plain => ({ kind: 'setAlone', enabled: chance.in(0.4) }),
      approve: (): Plain => ({ kind: 'approveProposal', proposal: this.#proposal(state) }),
      cancel: (): Plain => ({ kind: 'cancelProposal', proposal: this.#proposal(state) }),
    }[make]();
    return chance.in(0.02) ? command : this.#by(chance.pick(actors), command);
  }

  /** More than may wait at a time, under rules without four eyes in production. */
  #many(): Command {
    const valid = { valuedIn: as<AssetId>(asset.quote), dustFeePpm: 2000, fourEyesAbove: null };
    const rules = { ...anyWalletRules(this.#world.chance), ...valid };
    const lowered: Plain = { kind: 'configureWallet', rules: { ...rules, fourEyesAbove: as<Balance>(7n) } };
    this.#now([
      { kind: 'configureWallet', rules },
      ...Array.from({ length: engineLimits.proposalsOpen + 1 }, () => this.#by('olga', lowered, null)),
    ]);
    return { kind: 'recordProfile', profile: 'production' };
  }

  #by(actor: string, command: Plain, idempotencyKey: string | null = this.#key()): Command {
    return operated(actor, command, { idempotencyKey });
  }

  #key(): string | null {
    const { chance } = this.#world;
    return chance.pick([null, null, `p${chance.below(20)}`]);
  }

  #proposal({ operators }: EngineState): number {
    const { chance } = this.#world;
    const open = operators.open();
    const known = open.length > 0 && chance.in(0.8) ? open : operators.all();
    return known.length === 0 || chance.in(0.05) ? chance.corner() : chance.pick(known).proposal;
  }

  /** What is in force with another bound, mostly. */
  #rules({ walletRules }: EngineState): Plain {
    const { chance } = this.#world;
    const known = walletRules.value ?? anyWalletRules(chance);
    const bound = chance.pick(bounds) as Balance | null;
    const changes: readonly Partial<WalletRules>[] = [
      { fourEyesAbove: bound },
      { riskHoldAbove: bound },
      { dustBelow: bound ?? as<Balance>(5n) },
      { waitMs: chance.pick([0, 1, 86_400_001]) },
      { largeDeposit: bound ?? as<Balance>(-1n) },
    ];
    return { kind: 'configureWallet', rules: { ...known, ...chance.pick(changes) } };
  }

  #network({ assetNetworks }: EngineState): Plain {
    const { chance } = this.#world;
    const [first] = assetNetworks.all();
    if (first === undefined) return { kind: 'setAlone', enabled: false };
    const network = chance.pick(assetNetworks.all());
    return { kind: 'configureAssetNetwork', network: { ...network, minConfirm: chance.pick([0, 1, 2, 3]) } };
  }

  #price(): Plain {
    const { chance } = this.#world;
    const id = as<AssetId>(chance.below(Object.keys(asset).length));
    if (chance.in(0.3)) return { kind: 'removeReferencePrice', asset: id, reason: 'why' };
    const digits = as<Balance>(chance.pick([1n, 3n, 12_345n]));
    return {
      kind: 'setReferencePrice',
      asset: id,
      digits,
      decimals: chance.pick([0, 2]),
      validMs: 60_000,
      reason: 'why',
    };
  }
}
