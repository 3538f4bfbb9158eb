import { accountStatuses } from '#model/account.ts';
import { type ClientKind, clientKinds } from '#model/client-target.ts';
import type { Command } from '#model/command.ts';
import { tradingStates } from '#model/trading.ts';
import { engineLimits } from '#model/limits.ts';
import { as, type AssetId, type Balance, type TimestampMs } from '#model/units.ts';
import type { EngineState } from '#engine/state/state.ts';
import { lotsOf } from './chance.ts';
import { anyAccount, anyCredit, anyFeeToken, asset, type FuzzWorld, relisted, users } from './fuzz-world.ts';

const operations = lotsOf([
  [3.5, 'credit'],
  [0.8, 'terms'],
  [0.4, 'status'],
  [0.4, 'switches'],
  [0.9, 'relist'],
  [0.5, 'feeToken'],
  [1.3, 'group'],
  [0.5, 'apiKey'],
  [0.7, 'listenKey'],
  [0.1, 'halt'],
  [0.3, 'ban'],
  [0.4, 'operatorBan'],
  [0.4, 'rateLimit'],
  [0.3, 'feeTiers'],
  [0.6, 'assignFeeTiers'],
  [0.15, 'account'],
  [0.15, 'asset'],
  [0.02, 'manyKeys'],
] as const);
const groupChanges = lotsOf([
  [2, 'create'],
  [1.5, 'delete'],
  [5, 'add'],
  [3, 'remove'],
] as const);
const listenKeyChanges = lotsOf([
  [3, 'create'],
  [2, 'renew'],
  [1, 'delete'],
] as const);
/** Caps of open orders, words that would turn over among them. */
const capChoices = [500, 500, 500, 30, 30, 5, 2, 0, 2 ** 31 - 1, 2 ** 31, 2 ** 32 + 5, 2 ** 53 - 1, -1] as const;
const keyPool = 40;

/** Commands that are to follow. */
interface Later {
  /** Next. */
  now(commands: readonly Command[]): void;
  /** In a while, when others have felt what was before. */
  soon(command: Command): void;
}

/** Commands that are not trading: money, rules, accounts, groups, keys. */
export class OperationMaker {
  readonly #world: FuzzWorld;
  readonly #later: Later;

  constructor(world: FuzzWorld, later: Later) {
    this.#world = world;
    this.#later = later;
  }

  /** The next one; `at` is the time. */
  make(state: EngineState, at: number): Command {
    const { chance } = this.#world;
    switch (chance.draw(operations)) {
      case 'credit':
        return this.#credit();
      case 'terms':
        return this.#terms();
      case 'status':
        return this.#status();
      case 'switches':
        return this.#switches();
      case 'relist':
        return this.#relist();
      case 'feeToken':
        return anyFeeToken(chance);
      case 'group':
        return this.#group(state);
      case 'apiKey':
        return this.#apiKey();
      case 'listenKey':
        return this.#listenKey();
      case 'halt':
        return this.#halt();
      case 'ban':
        return this.#ban(at);
      case 'operatorBan':
        return this.#operatorBan(at);
      case 'rateLimit':
        return this.#rateLimit(at);
      case 'feeTiers':
        return this.#feeTiers();
      case 'assignFeeTiers':
        return this.#assignFeeTiers(state);
      case 'account':
        return this.#openAccount();
      case 'asset':
        return this.#asset();
      case 'manyKeys':
        return this.#manyKeys(at);
    }
  }

  #account(): number {
    return anyAccount(this.#world.chance);
  }

  #credit(): Command {
    const { chance } = this.#world;
    const id = chance.in(0.01) ? chance.pick([4, 4096, -1]) : chance.below(Object.keys(asset).length);
    const amount = chance.in(0.01)
      ? chance.pick([0n, -1n, 2n ** 62n, 2n ** 63n - 1n])
      : anyCredit(this.#world, Math.min(3, Math.max(0, id)));
    return { kind: 'creditFunds', account: as(this.#account()), asset: as(id), amount: as(amount) };
  }

  #terms(): Command {
    const { chance } = this.#world;
    const account = as<Extract<Command, { kind: 'setTradingRules' }>['account']>(this.#account());
    const openOrdersMax = chance.pick(capChoices);
    const free = { makerFeePpm: null, takerFeePpm: null, openOrdersMax: 500 };
    if (openOrdersMax !== 500) this.#later.soon({ kind: 'setTradingRules', account, ...free });
    const rates = [null, null, 0, 1, 1000, 999_999, 1_000_000, 1_000_001, -1];
    return {
      kind: 'setTradingRules',
      account,
      makerFeePpm: chance.pick(rates),
      takerFeePpm: chance.pick(rates),
      openOrdersMax,
    };
  }

  /** Whoever is set aside comes back soon. */
  #status(): Command {
    const { chance } = this.#world;
    const account = as<Extract<Command, { kind: 'setAccountStatus' }>['account']>(this.#account());
    const status = chance.pick(accountStatuses);
    if (status !== 'normal') this.#later.soon({ kind: 'setAccountStatus', account, status: 'normal' });
    if (chance.in(0.2)) return { kind: 'cancelFrozenOrders' };
    return { kind: 'setAccountStatus', account, status };
  }

  /** What is switched off is on again soon. */
  #switches(): Command {
    const { chance } = this.#world;
    const account = as<Extract<Command, { kind: 'setAccountSwitches' }>['account']>(this.#account());
    const switches = { trade: chance.in(0.5), withdraw: chance.in(0.5), api: chance.in(0.5) };
    const on = { switches: { trade: true, withdraw: true, api: true }, cancelOrders: false };
    this.#later.soon({ kind: 'setAccountSwitches', account, ...on });
    return { kind: 'setAccountSwitches', account, switches, cancelOrders: chance.in(0.5) };
  }

  /** Other rules for a pair; one that was closed opens again before long. */
  #relist(): Command {
    const { chance, listings } = this.#world;
    if (chance.in(0.1)) return { kind: 'cancelOfflineOrders' };
    const at = chance.below(listings.length);
    const listing = listings[at] as (typeof listings)[number];
    const changed = relisted(this.#world, at);
    if (changed.tradeSideType !== 'all' || changed.orderKinds.length < 5)
      this.#later.soon({ kind: 'configureSymbol', symbol: listing });
    return { kind: 'configureSymbol', symbol: changed };
  }

  #group(state: EngineState): Command {
    const { chance } = this.#world;
    const master = as<Extract<Command, { kind: 'createStpGroup' }>['master']>(
      chance.in(0.9) ? users[0] : this.#account(),
    );
    const group = chance.in(0.05) ? chance.corner() : 1 + chance.below(Math.max(1, state.stpGroups.lastGroup));
    const members = users.filter(() => chance.in(0.5)).map((id) => as<typeof master>(id));
    if (chance.in(0.02)) members.push(as(chance.pick([0, 9, 2 ** 32 + 4, -1])));
    switch (chance.draw(groupChanges)) {
      case 'create':
        return { kind: 'createStpGroup', master, name: `group${chance.below(14)}` };
      case 'delete':
        return { kind: 'deleteStpGroup', master, group };
      case 'add':
        return { kind: 'addToStpGroup', master, group, members };
      case 'remove':
        return { kind: 'removeFromStpGroup', master, group, members };
    }
  }

  #apiKey(): Command {
    const { chance } = this.#world;
    const account = as<Extract<Command, { kind: 'deleteApiKey' }>['account']>(this.#account());
    const accessKey = `key${chance.below(keyPool)}`;
    if (chance.in(0.3)) return { kind: 'deleteApiKey', account, accessKey };
    if (chance.in(0.2)) return { kind: 'endApiKeys' };
    return {
      kind: 'createApiKey',
      account,
      accessKey,
      sealedSecret: 'sealed',
      note: chance.pick(['', '"\\\n', 'ü\ud83d\ude00', '\ud800']),
      permissions: chance.corner(),
      ips: Array.from({ length: chance.below(3) }, () => '::1'),
      unboundLifeMs: chance.pick([null, 0, 1, 60_000, engineLimits.keyLifeMsMax, engineLimits.keyLifeMsMax + 1]),
    };
  }

  #listenKey(): Command {
    const { chance } = this.#world;
    const account = as<Extract<Command, { kind: 'createListenKey' }>['account']>(this.#account());
    const keyHash = chance.below(keyPool).toString(16).padStart(64, '0');
    switch (chance.draw(listenKeyChanges)) {
      case 'create':
        return {
          kind: 'createListenKey',
          account,
          accessKey: `key${chance.below(keyPool)}`,
          keyHash,
          sealedKey: 'sealed',
        };
      case 'renew':
        return { kind: 'renewListenKey', account, keyHash };
      case 'delete':
        return { kind: 'deleteListenKey', account, keyHash };
    }
  }

  /** Trading opens again before long. */
  #halt(): Command {
    const { chance } = this.#world;
    const state = chance.pick(tradingStates);
    if (state !== 'open') this.#later.soon({ kind: 'setTrading', state: 'open', reason: 'over' });
    return { kind: 'setTrading', state, reason: chance.pick(['why', 'why', 'ü\ud83d\ude00', '', 'x'.repeat(501)]) };
  }

  #ban(at: number): Command {
    const { chance } = this.#world;
    const until = chance.pick([0, at, at + 120_000, 2 ** 53 - 1, -5]);
    return { kind: 'banAddress', address: `10.0.0.${chance.below(9)}`, until: as(until), times: chance.below(9) };
  }

  /** An address that the ladder bans too, an account or a key. */
  #client(): { readonly kind: ClientKind; readonly target: string } {
    const { chance } = this.#world;
    const targets = {
      address: () => chance.pick([`10.0.0.${chance.below(9)}`, '2001:db8::/64', '', 'x']),
      account: () => String(chance.pick([10_000_000 + chance.below(9), 1, -1])),
      key: () => `key${chance.below(keyPool)}`,
    };
    const kind = chance.pick(clientKinds);
    return { kind, target: targets[kind]() };
  }

  #ending(at: number) {
    const { chance } = this.#world;
    const until = chance.pick([null, at, at + 1000, at + 3_600_000, 2 ** 53 - 1]);
    return { until: until === null ? null : as<TimestampMs>(until), reason: chance.pick(['x', '']) };
  }

  #operatorBan(at: number): Command {
    const { kind: banned, target } = this.#client();
    if (this.#world.chance.in(0.4)) return { kind: 'liftBan', banned, target };
    return { kind: 'setBan', banned, target, ...this.#ending(at) };
  }

  #rateLimit(at: number): Command {
    const { chance } = this.#world;
    const { kind: limited, target } = this.#client();
    if (chance.in(0.4)) return { kind: 'liftRateLimit', limited, target };
    const most = (share: number) => (chance.in(share) ? chance.pick([1, 50, 100_000, 0, -1, 2 ** 53 - 1]) : null);
    const calls = limited === 'address' ? 'futuresCalls' : 'callsPerSecond';
    const terms = { weight: most(0.7), callsPerSecond: most(0.05), futuresCalls: most(0.05), [calls]: most(0.4) };
    return { kind: 'setRateLimit', limited, target, ...terms, ...this.#ending(at) };
  }

  /** Tiers that a few trades lead to, seldom faulty ones; now and then none. */
  #feeTiers(): Command {
    const { chance } = this.#world;
    const isFaulty = chance.in(0.2);
    const tiers = Array.from({ length: chance.below(4) }, (_, index) => ({
      volume: chance.in(0.8)
        ? as<Balance>(isFaulty ? chance.pick([-1n, 2n ** 62n]) : 10n ** BigInt(2 + 3 * index))
        : null,
      tokens: chance.in(0.5)
        ? { asset: as<AssetId>(asset.token), amount: as<Balance>(10n ** BigInt(1 + index)) }
        : null,
      makerFeePpm: isFaulty ? chance.pick([0, 1_000_000, -1]) : 0,
      takerFeePpm: isFaulty ? chance.pick([900, 2 ** 40]) : chance.pick([900, 800, 0]),
    }));
    const valuedIn = as<AssetId>(chance.in(0.9) ? asset.quote : asset.base);
    return { kind: 'setFeeTiers', table: chance.in(0.1) ? null : { valuedIn, tiers } };
  }

  #assignFeeTiers({ feeTiers, at }: EngineState): Command {
    const { chance } = this.#world;
    const due = feeTiers.day?.day ?? at;
    return { kind: 'assignFeeTiers', day: as(chance.in(0.9) ? due : at), count: chance.pick([1, 3, 1000, 0, 1001]) };
  }

  /** One more account, mostly with the number of one that exists. */
  #openAccount(): Command {
    const { chance } = this.#world;
    return {
      kind: 'openAccount',
      uid: as(chance.pick([10_000_000, 10_000_001, 20_000_000 + chance.below(5), -1])),
      name: 'another',
      class: 'broker',
      kycLevel: chance.pick([1, 4, -3]),
      simulated: chance.in(0.5),
      master: chance.in(0.5) ? null : as(this.#account()),
    };
  }

  #asset(): Command {
    const { chance, scales, caps } = this.#world;
    const id = chance.below(4);
    const known = chance.in(0.7);
    return {
      kind: 'configureAsset',
      asset: {
        code: known ? (['AAA', 'UUU', 'TTT', 'CCC'][id] as string) : `X${chance.below(4)}`,
        fullName: `renamed ${chance.below(100)}`,
        scale: known && chance.in(0.9) ? (scales[id] as number) : chance.below(14),
        cap: as(known && chance.in(0.9) ? (caps[id] as bigint) : chance.pick([0n, 5n, 2n ** 62n])),
        coinId: String(id).repeat(32),
      },
    };
  }

  /** As many keys as one account may have, and some more. */
  #manyKeys(at: number): Command {
    const account = as<Extract<Command, { kind: 'createListenKey' }>['account']>(this.#account());
    const commands: Command[] = [];
    for (let index = 0; index <= engineLimits.listenKeysPerAccount; index += 1) {
      const name = `${at}-${index}`;
      const sealed = { accessKey: name, sealedSecret: '', note: '' };
      const key = { account, ...sealed, permissions: 0, ips: [], unboundLifeMs: null };
      if (index <= engineLimits.keysPerAccount) commands.push({ kind: 'createApiKey', ...key });
      const accessKey = `${at}-0`;
      commands.push({ kind: 'createListenKey', account, accessKey, keyHash: name, sealedKey: '' });
      // Once more, while there is room: refused because it is there.
      if (index === 0) commands.push({ kind: 'createListenKey', account, accessKey, keyHash: name, sealedKey: '' });
    }
    for (let index = 0; index <= engineLimits.stpGroupsPerMaster; index += 1)
      commands.push({ kind: 'createStpGroup', master: as(users[0]), name: `group ${index}` });
    this.#later.now(commands);
    return { kind: 'advanceClock' };
  }
}
