import { beforeEach, describe, expect, test } from 'vitest';
import { adjustableHouse } from '#model/adjustment.ts';
import type { Command, Entry } from '#model/command.ts';
import { createEventRecorder, type Event, noopSink } from '#model/event-record.ts';
import { engineLimits } from '#model/limits.ts';
import type { AssetId, Balance, Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { AssetNetwork, WalletRules } from '#model/wallet.ts';
import { audit } from '#engine/image/audit.ts';
import { createEngine, restoreEngine } from '#engine/create-engine.ts';
import { operated } from '#test/operated.ts';

const dayMs = engineLimits.proposalLifeMs;
const amount = (value: number): Balance => as<Balance>(BigInt(value));
const rules: WalletRules = {
  valuedIn: as<AssetId>(0),
  largeDeposit: amount(100),
  dailyCaps: [amount(1), amount(2), amount(3), amount(4)],
  riskHoldAbove: amount(50),
  fourEyesAbove: amount(10),
  adjustFourEyesAbove: amount(10),
  newAddressDelayMs: 1000,
  waitMs: 1000,
  transferable: [],
  dustBelow: amount(5),
  dustCallMax: amount(50),
  dustFeePpm: 2000,
};
const network: AssetNetwork = {
  ...{ asset: as<AssetId>(1), network: 'BTC', label: 'Bitcoin', contract: null, scale: 8 },
  ...{ depositEnabled: true, withdrawEnabled: true, minConfirm: 6, depositMin: amount(1), withdrawFee: amount(1) },
  ...{ withdrawMin: amount(2), withdrawMax: amount(1000), withdrawStep: amount(1), sharesAddress: false },
  ...{ depositDesc: null, depositTips: null, withdrawTips: null },
};
const price = { asset: as<AssetId>(1), digits: amount(500), decimals: 1, validMs: 10 * dayMs, reason: 'thin' };

let engine = createEngine();
let entries: Entry[] = [];

const apply = (at: number, command: Command): readonly Event[] => {
  const recorder = createEventRecorder();
  const entry = { seq: as<Seq>(engine.seq + 1), epoch: engine.state.progress.epoch, at: as<Entry['at']>(at), command };
  engine.apply(entry, recorder);
  entries.push(structuredClone(entry));
  expect(audit(engine.state)).toEqual([]);
  return recorder.events;
};
type Operated = Extract<Command, { kind: 'operate' }>['command'];
/** What the last fact before that of the act says: its kind, or the reason of a refusal. */
const operate = (at: number, actor: string, command: Operated): string => {
  const last = apply(at, operated(actor, command)).at(-2)!;
  return last.kind === 'commandRefused' ? last.reason : last.kind;
};
const configure = (at: number, actor: string, change: Partial<WalletRules>): string =>
  operate(at, actor, { kind: 'configureWallet', rules: { ...engine.state.walletRules.value!, ...change } });
const approve = (at: number, actor: string, proposal = engine.state.operators.lastProposal): string =>
  operate(at, actor, { kind: 'approveProposal', proposal });
const newest = () => engine.state.operators.find(engine.state.operators.lastProposal)!;

function open(profile: 'production' | 'sandbox'): void {
  engine = createEngine();
  entries = [];
  apply(0, { kind: 'recordProfile', profile });
  for (const code of ['USDT', 'BTC']) {
    const asset = { code, fullName: code, scale: 8, cap: as<Balance>(2n ** 60n), coinId: '0'.repeat(32) };
    apply(0, { kind: 'configureAsset', asset });
  }
  expect(operate(0, 'root', { kind: 'configureWallet', rules })).toBe('walletConfigured');
  expect(operate(0, 'root', { kind: 'configureAssetNetwork', network })).toBe('assetNetworkConfigured');
}
beforeEach(() => open('production'));

const lowerings: readonly (readonly [string, Partial<WalletRules>])[] = [
  ['largeDeposit', { largeDeposit: amount(101) }],
  ['dailyCaps', { dailyCaps: [amount(1), amount(2), amount(3), amount(5)] }],
  ['riskHoldAbove', { riskHoldAbove: amount(51) }],
  ['riskHoldAbove', { riskHoldAbove: null }],
  ['fourEyesAbove', { fourEyesAbove: amount(11) }],
  ['fourEyesAbove', { fourEyesAbove: null }],
  ['fourEyesAbove', { fourEyesAbove: amount(9) }],
  ['newAddressDelayMs', { newAddressDelayMs: 999 }],
  ['waitMs', { waitMs: 0 }],
  ['dustBelow', { dustBelow: amount(6) }],
  ['dustCallMax', { dustCallMax: amount(51) }],
  ['valuedIn', { valuedIn: as<AssetId>(1) }],
];

describe('DEC-OPR-142, DEC-OPR-143: what lowers a protection waits for a second person', () => {
  test.each(lowerings)('%s: %o', (member, change) => {
    expect(configure(1, 'erin', change)).toBe('proposalChanged');
    expect(engine.state.walletRules.value).toEqual(rules);
    expect(newest()).toMatchObject({ state: 'open', lowered: [member], madeBy: 'erin', endsAt: 1 + dayMs });
    expect(approve(2, 'dan')).toBe('proposalChanged');
    expect(engine.state.walletRules.value).toEqual({ ...rules, ...change });
    expect(newest()).toMatchObject({ state: 'applied', decidedBy: 'dan', decidedAt: 2 });
  });

  test('what raises protections, or is none, is applied at once', () => {
    const raised = {
      ...{ largeDeposit: amount(99), dailyCaps: [amount(0), amount(2), amount(3), amount(4)] },
      ...{ riskHoldAbove: amount(49), newAddressDelayMs: 1001, waitMs: 1001, dustBelow: amount(4) },
      ...{ dustCallMax: amount(49), dustFeePpm: 0, transferable: [as<AssetId>(0)] },
    };
    expect(configure(1, 'erin', raised)).toBe('walletConfigured');
    expect(engine.state.walletRules.value).toEqual({ ...rules, ...raised });
  });

  test('a change that raises one and lowers another waits as a whole', () => {
    configure(1, 'erin', { waitMs: 5000, riskHoldAbove: amount(60) });
    expect(engine.state.walletRules.value).toEqual(rules);
    expect(newest().lowered).toEqual(['riskHoldAbove']);
    approve(1, 'dan');
    expect(engine.state.walletRules.value).toMatchObject({ waitMs: 5000, riskHoldAbove: 60n });
  });

  test.each([
    ['minConfirm', { minConfirm: 5 }],
    ['withdrawMax', { withdrawMax: amount(1001) }],
  ])('of an asset on a network: %s', (member, change) => {
    const changed = { ...network, ...change };
    expect(operate(1, 'erin', { kind: 'configureAssetNetwork', network: changed })).toBe('proposalChanged');
    expect(newest().lowered).toEqual([member]);
    expect(engine.state.assetNetworks.get(as<AssetId>(1), 'BTC')).toEqual(network);
    approve(1, 'dan');
    expect(engine.state.assetNetworks.get(as<AssetId>(1), 'BTC')).toEqual(changed);
    const stricter = { ...network, minConfirm: 9, withdrawMax: amount(10), withdrawEnabled: false };
    expect(operate(1, 'erin', { kind: 'configureAssetNetwork', network: stricter })).toBe('assetNetworkConfigured');
  });

  test('a price for rules: one where none counts, a lower one, none again; not a higher one', () => {
    const set = (at: number, digits: number, decimals: number) =>
      operate(at, 'erin', { ...price, kind: 'setReferencePrice', digits: amount(digits), decimals });
    const owner = { account: adjustableHouse.capital, wallet: null, asset: price.asset, amount: amount(1) };
    operate(1, 'erin', { kind: 'adjustBalance', ...owner, type: 'capitalIn', reason: 'coins', reference: null });
    approve(1, 'dan');
    expect(set(1, 500, 1)).toBe('proposalChanged');
    approve(1, 'dan');
    expect(engine.state.referencePrices.find(as<AssetId>(1))).toMatchObject({ digits: 500n, actor: 'erin' });
    expect(set(2, 50, 0)).toBe('referencePriceSet');
    expect(set(2, 5001, 2)).toBe('referencePriceSet');
    expect(set(2, 5000, 2)).toBe('proposalChanged');
    const { asset, reason } = price;
    expect(operate(2, 'erin', { kind: 'removeReferencePrice', asset, reason })).toBe('proposalChanged');
    const late = 2 + price.validMs;
    expect(operate(late, 'erin', { kind: 'removeReferencePrice', asset, reason })).toBe('referencePriceRemoved');
  });

  test('a sandbox applies all of it at once, and so does the exchange itself', () => {
    apply(1, { kind: 'configureWallet', rules: { ...rules, fourEyesAbove: null } });
    expect(engine.state.walletRules.value?.fourEyesAbove).toBeNull();
    open('sandbox');
    for (const [, change] of lowerings) expect(configure(1, 'erin', change)).toBe('walletConfigured');
  });

  test('what is broken is refused, and is no proposal', () => {
    expect(configure(1, 'erin', { fourEyesAbove: null, waitMs: -1 })).toBe('invalidConfiguration');
    expect(engine.state.operators.all()).toEqual([]);
  });
});

describe('DEC-OPR-144: a proposal', () => {
  beforeEach(() => void configure(1, 'erin', { fourEyesAbove: null }));

  test.each(['erin', 'Erin', 'ERIN'])('is not approved by its maker as %s', (actor) => {
    expect(approve(2, actor)).toBe('sameOperator');
    expect(engine.state.walletRules.value).toEqual(rules);
  });

  test('is not approved by who makes tokens: root, or one with another token', () => {
    const token = { tokenHash: 'a'.repeat(64), actor: 'Dan', scopes: ['tokens:write'], expiresAt: as<Entry['at']>(99) };
    operate(2, 'root', { kind: 'createOperatorToken', ...token });
    expect([approve(2, 'root'), approve(2, 'dan'), approve(98, 'DAN')]).toEqual(Array(3).fill('mayMakeTokens'));
    expect(approve(99, 'dan')).toBe('proposalChanged');
  });

  test('is approved once, and not after it was cancelled', () => {
    approve(2, 'dan');
    expect(approve(2, 'dan')).toBe('wrongState');
    expect(operate(2, 'dan', { kind: 'cancelProposal', proposal: 1 })).toBe('wrongState');
    configure(3, 'erin', { riskHoldAbove: null });
    expect(operate(3, 'frank', { kind: 'cancelProposal', proposal: 2 })).toBe('proposalChanged');
    expect(newest()).toMatchObject({ state: 'cancelled', decidedBy: 'frank' });
    expect(approve(3, 'dan')).toBe('wrongState');
    expect(approve(3, 'dan', 3)).toBe('unknownProposal');
    expect(engine.state.walletRules.value?.riskHoldAbove).toBe(50n);
  });

  test('can be approved for a day, not longer', () => {
    configure(1, 'erin', { riskHoldAbove: null });
    expect(approve(dayMs, 'dan', 2)).toBe('proposalChanged');
    configure(dayMs, 'erin', { waitMs: 0 });
    expect(approve(1 + dayMs, 'dan', 1)).toBe('proposalExpired');
    expect(operate(1 + dayMs, 'dan', { kind: 'cancelProposal', proposal: 1 })).toBe('proposalExpired');
    apply(1 + dayMs, { kind: 'endProposals' });
    expect(engine.state.operators.all().map(({ state }) => state)).toEqual(['expired', 'applied', 'open']);
    expect(approve(1 + dayMs, 'dan', 1)).toBe('proposalExpired');
  });

  test('is stale once what it would change was changed: a later raise is not undone', () => {
    expect(configure(2, 'frank', { riskHoldAbove: amount(20) })).toBe('walletConfigured');
    expect(approve(3, 'dan')).toBe('proposalStale');
    expect(engine.state.walletRules.value).toMatchObject({ fourEyesAbove: 10n, riskHoldAbove: 20n });
    expect(operate(3, 'erin', { kind: 'cancelProposal', proposal: 1 })).toBe('proposalChanged');
  });

  test('of two about one thing only the first that is approved takes effect', () => {
    configure(2, 'frank', { riskHoldAbove: null });
    expect([approve(3, 'dan', 1), approve(3, 'dan', 2)]).toEqual(['proposalChanged', 'proposalStale']);
  });

  test('survives a restart by journal and by image, and is approved after it', () => {
    const replayed = createEngine();
    for (const entry of entries) replayed.apply(entry, noopSink);
    expect(replayed.digest()).toBe(engine.digest());
    const image = engine.snapshot();
    engine = restoreEngine(image);
    expect(Buffer.compare(engine.snapshot(), image)).toBe(0);
    expect(engine.state.operators.all()).toEqual(replayed.state.operators.all());
    expect([approve(2, 'erin'), approve(2, 'dan')]).toEqual(['sameOperator', 'proposalChanged']);
    expect(engine.state.walletRules.value?.fourEyesAbove).toBeNull();
  });

  test('is one of a hundred; decided ones are forgotten beyond a thousand', () => {
    for (let made = 1; made < engineLimits.proposalsOpen; made += 1)
      expect(configure(2, 'erin', { waitMs: 0 })).toBe('proposalChanged');
    expect(configure(2, 'erin', { waitMs: 0 })).toBe('tooManyProposals');
    expect(configure(2, 'erin', { waitMs: 2000, riskHoldAbove: amount(1) })).toBe('walletConfigured');
    for (let round = 0; round < 1200; round += 1) {
      const [oldest] = engine.state.operators.open();
      operate(3, 'dan', { kind: 'cancelProposal', proposal: oldest!.proposal });
      configure(3, 'erin', { waitMs: 0 });
    }
    const { operators } = engine.state;
    expect([operators.open().length, operators.all().length, operators.lastProposal]).toEqual([100, 1000, 1300]);
  }, 60_000);
});

describe('DEC-OPR-145: one operator alone', () => {
  const setAlone = (at: number, actor: string, enabled: boolean) => operate(at, actor, { kind: 'setAlone', enabled });

  test('is not who comes second, at his first act', () => {
    expect(setAlone(1, 'erin', true)).toBe('proposalChanged');
    expect(engine.state.operators.isAlone).toBe(false);
  });

  test('stays alone when another one was only refused', () => {
    expect(configure(1, 'erin', { waitMs: -1 })).toBe('invalidConfiguration');
    expect(setAlone(1, 'root', true)).toBe('aloneChanged');
  });

  test('says so at once while nobody else ever acted; later two have to', () => {
    expect(setAlone(1, 'ROOT', true)).toBe('aloneChanged');
    expect(setAlone(1, 'root', false)).toBe('aloneChanged');
    configure(1, 'erin', { waitMs: 2000 });
    expect(setAlone(2, 'root', true)).toBe('proposalChanged');
    expect(engine.state.operators.isAlone).toBe(false);
    expect(approve(3, 'erin')).toBe('proposalChanged');
    expect(engine.state.operators.isAlone).toBe(true);
    expect(setAlone(4, 'erin', false)).toBe('aloneChanged');
  });

  test('lowers a protection after a day, unless it was cancelled', () => {
    setAlone(1, 'root', true);
    configure(1, 'root', { fourEyesAbove: null });
    operate(2, 'root', { kind: 'configureAssetNetwork', network: { ...network, minConfirm: 1 } });
    operate(3, 'root', { kind: 'cancelProposal', proposal: 2 });
    apply(dayMs, { kind: 'endProposals' });
    expect(engine.state.walletRules.value?.fourEyesAbove).toBe(10n);
    apply(1 + dayMs, { kind: 'endProposals' });
    expect(engine.state.walletRules.value?.fourEyesAbove).toBeNull();
    expect(engine.state.operators.find(1)).toMatchObject({ state: 'applied', decidedBy: null });
    apply(2 * dayMs, { kind: 'endProposals' });
    expect(engine.state.assetNetworks.get(as<AssetId>(1), 'BTC')?.minConfirm).toBe(6);
  });

  test('makes nothing of what was asked for before, or after he is no longer alone, or what is stale', () => {
    configure(1, 'root', { fourEyesAbove: null });
    setAlone(2, 'root', true);
    configure(3, 'root', { riskHoldAbove: null });
    setAlone(4, 'root', false);
    apply(3 + dayMs, { kind: 'endProposals' });
    setAlone(5 + dayMs, 'root', true);
    configure(5 + dayMs, 'root', { riskHoldAbove: null });
    configure(6 + dayMs, 'root', { waitMs: 2000 });
    apply(5 + 2 * dayMs, { kind: 'endProposals' });
    expect(engine.state.operators.all().map(({ state }) => state)).toEqual(['expired', 'expired', 'expired']);
    expect(engine.state.walletRules.value).toEqual({ ...rules, waitMs: 2000 });
  });
});
