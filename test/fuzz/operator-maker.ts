import type { Command } from '#model/command.ts';
import { engineLimits } from '#model/limits.ts';
import { profiles } from '#model/profile.ts';
import { as, type AccountId, type AssetId, type Balance, type TimestampMs } from '#model/units.ts';
import { webhookKinds } from '#model/webhook.ts';
import type { EngineState } from '#engine/state/state.ts';
import { lotsOf } from './chance.ts';
import { anyAccount, type FuzzWorld, users } from './fuzz-world.ts';
import { operated } from '../operated.ts';

type Plain = Exclude<Command, { kind: 'operate' }>;

const makes = lotsOf([
  [3, 'level'],
  [3, 'create'],
  [2, 'delete'],
  [1, 'note'],
  [1.5, 'webhook'],
  [0.05, 'manyWebhooks'],
  [0.05, 'manyNotes'],
  [4, 'operate'],
  [0.3, 'approveAsMaker'],
  [0.6, 'profile'],
  [0.05, 'manyTokens'],
] as const);
const actors = ['olga', 'pete', 'PETE', 'ROOT', '', 'two words'] as const;
/** Who makes tokens is another one than those who approve, mostly. */
const scopeChoices = [['assets:read'], ['tokens:write'], ['tokens:write', 'deposits:review'], ['No Scope']] as const;
const keys = ['k1', 'k2', 'k3', '', null] as const;
const reasons = [null, null, 'asked for by its owner', '', '\ud800 "'] as const;
const hashOf = (index: number): string => index.toString(16).padStart(64, '0');
const distinctHashes = 6;

/** What operators do about accounts and their own tokens, sometimes twice under one idempotency key. */
export class OperatorMaker {
  readonly #world: FuzzWorld;
  readonly #now: (commands: readonly Command[]) => void;

  /** `now`: puts commands before all others. */
  constructor(world: FuzzWorld, now: (commands: readonly Command[]) => void) {
    this.#world = world;
    this.#now = now;
  }

  make(state: EngineState): Command {
    const { chance } = this.#world;
    switch (chance.draw(makes)) {
      case 'level':
        return this.#level();
      case 'create':
        return this.#create(state, chance.below(distinctHashes));
      case 'delete':
        return { kind: 'deleteOperatorToken', tokenHash: hashOf(chance.below(distinctHashes)) };
      case 'note':
        return chance.in(0.2) ? this.#note() : this.#operate(this.#note());
      case 'webhook':
        return this.#webhook(state);
      case 'manyWebhooks': {
        const terms = { url: 'https://e.com', kinds: webhookKinds, sealedSecret: 's' };
        const many = Array.from({ length: engineLimits.webhooks + 1 }, (_, index): Command => {
          return { kind: 'createWebhook', webhook: hashOf(100 + index).slice(-16), ...terms };
        });
        this.#now(many);
        return this.#level();
      }
      case 'manyNotes': {
        const note = { ...this.#note(), account: as<AccountId>(users[0]), text: 'again' };
        const many = Array.from({ length: engineLimits.notesPerAccount + 1 }, () => operated('olga', note));
        this.#now(many);
        return this.#level();
      }
      case 'operate':
        return this.#operate(chance.in(0.7) ? this.#level() : this.#create(state, chance.below(distinctHashes)));
      case 'approveAsMaker':
        return this.#approveAsMaker(state);
      case 'profile':
        if (chance.in(0.2))
          return {
            kind: 'raiseNumbers',
            number: state.tables.lastOrder + chance.below(20),
            uids: state.givenUids.passed + chance.below(3),
          };
        if (chance.in(0.2)) return { kind: 'recordBackup', name: 'b'.repeat(chance.below(70)) };
        if (chance.in(0.5)) return { kind: 'recordIdKey', sealedKey: 'k'.repeat(chance.below(300)) };
        return { kind: 'recordProfile', profile: chance.pick(profiles) };
      case 'manyTokens': {
        const expiresAt = as<TimestampMs>(state.at + 10 * 365 * 86_400_000);
        const many = Array.from({ length: engineLimits.operatorTokens + 1 }, (_, index): Command => {
          return { kind: 'createOperatorToken', tokenHash: hashOf(1000 + index), actor: 'olga', scopes: [], expiresAt };
        });
        this.#now(many);
        return this.#level();
      }
    }
  }

  /** A token that makes tokens, and a deposit on the word of its owner. */
  #approveAsMaker({ at, assetNetworks }: EngineState): Command {
    const { chance } = this.#world;
    const listed = assetNetworks.all().find(({ network }) => network === 'NET');
    const report = {
      kind: 'reportDeposit',
      network: 'NET',
      txId: `word${chance.below(1000)}`,
      output: 0,
      asset: listed?.asset ?? as<AssetId>(0),
      address: '0x4',
      memo: null,
      amount: as<Balance>(1n),
      sight: null,
    } as const;
    this.#now([operated(chance.pick(['tess', 'TESS']), report)]);
    const token = { tokenHash: hashOf(100 + chance.below(distinctHashes)), actor: 'Tess', scopes: ['tokens:write'] };
    return { kind: 'createOperatorToken', ...token, expiresAt: as(at + 3_600_000) };
  }

  /** Now and then the command comes from an operator: an act can be about anything. */
  maybeBy(command: Command): Command {
    const { chance } = this.#world;
    return command.kind === 'operate' || !chance.in(0.01) ? command : operated('olga', command);
  }

  #operate(command: Plain): Command {
    const { chance } = this.#world;
    return operated(chance.pick(actors), command, {
      idempotencyKey: chance.pick(keys),
      reason: chance.in(0.98) ? chance.pick(reasons) : 'w'.repeat(engineLimits.reasonLength + chance.below(2)),
      ...(chance.in(0.02) ? { token: chance.pick(['', 'two words', 't'.repeat(65)]) } : {}),
      ...(chance.in(0.02) ? { address: chance.pick(['', '::1', 'a'.repeat(65)]) } : {}),
    });
  }

  #level(): Plain {
    const { chance } = this.#world;
    return { kind: 'setKycLevel', account: as(anyAccount(chance)), kycLevel: chance.pick([0, 1, 2, 3, 4, 5]) };
  }

  #webhook({ progress, at, webhooks }: EngineState): Command {
    const { chance } = this.#world;
    const webhook = chance.in(0.05) ? 'none' : hashOf(chance.below(4)).slice(-16);
    const terms = {
      url: chance.pick(['https://e.com', 'https://e.com', '', 'u'.repeat(2001)]),
      kinds: chance.in(0.05) ? [] : [chance.pick(webhookKinds)],
    };
    const known = webhooks.find(webhook)?.seq ?? 0;
    const seq = as<typeof progress.seq>(chance.pick([progress.seq, known + 1, known]));
    return chance.pick<Command>([
      {
        kind: 'createWebhook',
        webhook,
        ...terms,
        sealedSecret: chance.pick(['sealed', 'sealed', '', 's'.repeat(501)]),
      },
      { kind: 'changeWebhook', webhook, ...terms, active: chance.in(0.7) },
      { kind: 'recordWebhookProgress', webhook, at, seq, line: chance.below(3) },
      { kind: 'recordWebhookProgress', webhook, at, seq, line: chance.below(3) },
      chance.in(0.5) ? { kind: 'deleteWebhook', webhook } : { kind: 'giveUpWebhook', webhook },
    ]);
  }

  #note() {
    const { chance } = this.#world;
    const text = chance.pick(['wrote to us', 'two\nlines', '', ' ', 'bell \u0007', 'n'.repeat(2001)]);
    return { kind: 'addAccountNote', account: as<AccountId>(anyAccount(chance)), text } as const;
  }

  #create({ at }: EngineState, index: number): Plain {
    const { chance } = this.#world;
    const lastsMs = chance.pick([-1, 0, 1, 3_600_000]);
    const scopes = chance.in(0.7) ? scopeChoices[0] : chance.pick(scopeChoices);
    const known = scopes.length === 1 && scopes[0] === 'tokens:write' ? 'Tess' : 'olga';
    const actor = chance.in(0.9) ? known : chance.pick(actors);
    return { kind: 'createOperatorToken', tokenHash: hashOf(index), actor, scopes, expiresAt: as(at + lastsMs) };
  }
}
