import { adjustableHouse, type AdjustableHouse, type AdjustmentKind } from '#model/adjustment.ts';
import type { CommandOf } from '#model/command.ts';
import type { Event } from '#model/event-record.ts';
import type { AccountId, AssetId, Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { WalletKind, WalletRules } from '#model/wallet.ts';
import { houseEquity } from '#engine/money/house-equity.ts';
import { operated } from '../operated.ts';
import { assets, openRules, people, WalletHarness } from './wallet-harness.ts';

type Operated = CommandOf<'operate'>['command'];
type Owner = { readonly of: keyof typeof people; readonly wallet?: WalletKind } | { readonly house: AdjustableHouse };

/**
 * An exchange whose operators adjust balances. Alice has 1,000 USDT, free, which the operator put into custody; the
 * house owns nothing, and owes nothing else.
 */
export class AdjustmentDesk extends WalletHarness {
  constructor(rules: Partial<WalletRules> = {}, profile: 'production' | 'sandbox' = 'production') {
    super({ ...openRules, adjustFourEyesAbove: null });
    this.run({ kind: 'recordProfile', profile });
    for (const [type, owner] of [
      ['capitalIn', { house: 'capital' }],
      ['credit', { of: 'alice' }],
      ['debit', { house: 'capital' }],
    ] as const)
      this.adjust('root', type, owner, 1000n);
    this.at += 86_400_000;
    this.run({ kind: 'configureWallet', rules: { ...openRules, adjustFourEyesAbove: as<Balance>(100n), ...rules } });
  }

  /** What operators are told: the last event but postings and the act itself, or why it was refused. */
  by(actor: string, command: Operated, idempotencyKey: string | null = null): string {
    return wordOf(this.run(operated(actor, command, { idempotencyKey })));
  }

  adjust(actor: string, type: AdjustmentKind, owner: Owner, amount: bigint, asset: AssetId = assets.USDT): string {
    return this.by(actor, adjustmentOf(type, owner, amount, asset));
  }

  approve(actor: string, proposal = this.engine.state.operators.lastProposal): string {
    return this.by(actor, { kind: 'approveProposal', proposal });
  }

  /** What is free of USDT. */
  usdt(account: AccountId): bigint {
    return this.free(account, assets.USDT);
  }

  equity(asset: AssetId = assets.USDT): bigint {
    return houseEquity(this.engine.state, asset);
  }
}

/** An adjustment as a command. */
export const adjustmentOf = (
  type: AdjustmentKind,
  owner: Owner,
  amount: bigint,
  asset: AssetId = assets.USDT,
): CommandOf<'adjustBalance'> => ({
  kind: 'adjustBalance',
  account: 'house' in owner ? adjustableHouse[owner.house] : people[owner.of],
  wallet: 'house' in owner ? null : (owner.wallet ?? 'spot'),
  ...{ asset, amount: as<Balance>(amount), type, reason: 'a reason', reference: null },
});

function wordOf(events: readonly Event[]): string {
  const told = events.findLast(({ kind }) => kind !== 'posted' && kind !== 'operatorActed');
  return told?.kind === 'commandRefused' ? told.reason : (told?.kind ?? 'nothing');
}
