import type { PriceCommand } from '#model/price-command.ts';
import type { TimestampMs } from '#model/units.ts';
import type { WalletCommand } from '#model/wallet-command.ts';

/** Whether one operator runs the exchange alone: then a lowering waits for a day instead of a second person. */
export interface SetAlone {
  readonly kind: 'setAlone';
  readonly enabled: boolean;
}

/** Commands that can lower a protection. DEC-OPR-142. */
export type ProtectedCommand =
  | Extract<WalletCommand, { readonly kind: 'configureWallet' | 'configureAssetNetwork' }>
  | PriceCommand
  | SetAlone;

/** Commands about what waits for a second operator. */
export type ProposalCommand =
  | SetAlone
  /** The acting operator is the second person, and the change is made. */
  | { readonly kind: 'approveProposal'; readonly proposal: number }
  | { readonly kind: 'cancelProposal'; readonly proposal: number }
  /** Ends what is a day old: it expires, or takes effect where one operator runs the exchange alone. */
  | { readonly kind: 'endProposals' };

/** What became of a proposal. `expired` is also one that was to take effect and fits no longer. */
export const proposalStates = ['open', 'applied', 'cancelled', 'expired'] as const;
export type ProposalState = (typeof proposalStates)[number];

/** A change that lowers a protection and waits. DEC-OPR-142. */
export interface Proposal {
  /** Running number, from 1. */
  readonly proposal: number;
  readonly command: ProtectedCommand;
  /** Members that lower a protection, of those that it changes. */
  readonly lowered: readonly string[];
  /** Stands for what was in force when it was made: a change of that makes it stale. */
  readonly basis: string;
  readonly state: ProposalState;
  readonly madeBy: string;
  readonly madeAt: TimestampMs;
  /** Of the request that made it. */
  readonly idempotencyKey: string | null;
  /** From this moment on nobody can approve it. */
  readonly endsAt: TimestampMs;
  /** Whether it takes effect then, because one operator runs the exchange alone; else it expires. */
  readonly isAlone: boolean;
  /** Who approved or cancelled it; `null`: nobody. */
  readonly decidedBy: string | null;
  readonly decidedAt: TimestampMs | null;
}

/** What happened to proposals, and to the setting that they depend on. */
export type ProposalFact =
  | { readonly kind: 'proposalChanged'; readonly proposal: Proposal }
  | { readonly kind: 'aloneChanged'; readonly enabled: boolean };
