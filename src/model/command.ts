import type { AccountClass, AccountStatus } from '#model/account.ts';
import type { AccountCommand } from '#model/account-command.ts';
import type { AssetListing } from '#model/asset.ts';
import type { ContractCommand } from '#model/contract-command.ts';
import type { OrderRef, OrderRequest } from '#model/order.ts';
import type { PermissionSet } from '#model/permission.ts';
import type { Profile } from '#model/profile.ts';
import type { RebateCommand } from '#model/rebate-command.ts';
import type { SafetyCommand } from '#model/safety.ts';
import type { SymbolListing } from '#model/symbol.ts';
import type { PriceCommand } from '#model/price-command.ts';
import type { ProposalCommand } from '#model/proposal.ts';
import type { WalletCommand } from '#model/wallet-command.ts';
import type {
  AccountId,
  AssetId,
  Balance,
  Digest,
  Epoch,
  OrderNumber,
  Seq,
  SymbolId,
  TimestampMs,
  Uid,
} from '#model/units.ts';

/** Opens an account. The caller chooses the `uid`, so that seeds and imports can fix it. */
export interface OpenAccount {
  readonly kind: 'openAccount';
  readonly uid: Uid;
  readonly name: string;
  /** `null`: its own master. */
  readonly master: AccountId | null;
  readonly class: AccountClass;
  readonly kycLevel: number;
  readonly simulated: boolean;
}

/** A new key of an account. The secret comes sealed: it never enters the journal in clear. */
export interface CreateApiKey {
  readonly kind: 'createApiKey';
  readonly account: AccountId;
  readonly accessKey: string;
  readonly sealedSecret: string;
  readonly note: string;
  readonly permissions: PermissionSet;
  readonly ips: readonly string[];
  /** How long it lives where it is bound to no address; `null`: without an end. DEC-REQ-147. */
  readonly unboundLifeMs: number | null;
}

/**
 * A request to change exchange state. Nothing else may change it: configuration and the passing of time included.
 * Closed: a new kind does not compile until the engine and the codec know it.
 */
export type Command =
  | { readonly kind: 'placeOrder'; readonly account: AccountId; readonly order: OrderRequest }
  /** Independent results, in order; one symbol. */
  | { readonly kind: 'placeOrders'; readonly account: AccountId; readonly orders: readonly OrderRequest[] }
  /** Replaces a market maker's ladder: cancels (orders that are gone are ignored), then places as `placeOrders`. */
  | {
      readonly kind: 'requote';
      readonly account: AccountId;
      readonly symbol: SymbolId;
      readonly cancel: readonly OrderNumber[];
      readonly place: readonly OrderRequest[];
    }
  | { readonly kind: 'cancelOrder'; readonly account: AccountId; readonly symbol: SymbolId; readonly ref: OrderRef }
  /** Every open order of the account on these symbols, oldest first. */
  | { readonly kind: 'cancelOrders'; readonly account: AccountId; readonly symbols: readonly SymbolId[] }
  | { readonly kind: 'configureAsset'; readonly asset: AssetListing }
  | { readonly kind: 'configureSymbol'; readonly symbol: SymbolListing }
  /** Which asset pays discounted commission, and the discount in parts per million. */
  | {
      readonly kind: 'configureFeeToken';
      readonly token: AssetId;
      readonly valuedIn: AssetId;
      readonly discountPpm: number;
    }
  | OpenAccount
  | { readonly kind: 'setAccountStatus'; readonly account: AccountId; readonly status: AccountStatus }
  /** Goes on with what freezing accounts began: a bounded number of their orders. */
  | { readonly kind: 'cancelFrozenOrders' }
  | {
      readonly kind: 'setAccountTerms';
      readonly account: AccountId;
      readonly makerFeePpm: number | null;
      readonly takerFeePpm: number | null;
      readonly openOrdersMax: number;
    }
  | { readonly kind: 'setFeeDeduction'; readonly account: AccountId; readonly enabled: boolean }
  | CreateApiKey
  /** Deletes keys whose time is over, a bounded number. */
  | { readonly kind: 'endApiKeys' }
  | { readonly kind: 'deleteApiKey'; readonly account: AccountId; readonly accessKey: string }
  /** Money from outside to an account: the sandbox's faucet and an operator's opening balances. */
  | { readonly kind: 'creditFunds'; readonly account: AccountId; readonly asset: AssetId; readonly amount: Balance }
  | { readonly kind: 'createStpGroup'; readonly master: AccountId; readonly name: string }
  | { readonly kind: 'deleteStpGroup'; readonly master: AccountId; readonly group: number }
  | {
      readonly kind: 'addToStpGroup';
      readonly master: AccountId;
      readonly group: number;
      readonly members: readonly AccountId[];
    }
  | {
      readonly kind: 'removeFromStpGroup';
      readonly master: AccountId;
      readonly group: number;
      readonly members: readonly AccountId[];
    }
  /** A token for pushes, named by its hash; the token itself comes sealed. */
  | {
      readonly kind: 'createListenKey';
      readonly account: AccountId;
      readonly accessKey: string;
      readonly keyHash: string;
      readonly sealedKey: string;
    }
  /** Valid again for its whole life, counted from now. */
  | { readonly kind: 'renewListenKey'; readonly account: AccountId; readonly keyHash: string }
  | { readonly kind: 'deleteListenKey'; readonly account: AccountId; readonly keyHash: string }
  /** Until a wall-clock moment; `until` 0 lifts it. `times` counts the ladder's steps. */
  | { readonly kind: 'banAddress'; readonly address: string; readonly until: TimestampMs; readonly times: number }
  /** Advances engine time and changes nothing else. */
  | { readonly kind: 'advanceClock' }
  /**
   * The rolling digest of events after entry `at`, a multiple of the digest interval. A replay with another digest
   * stops.
   */
  | { readonly kind: 'assertDigest'; readonly at: Seq; readonly digest: Digest }
  /** Activates this later version of the rules; see `domain/rules.ts`. */
  | { readonly kind: 'activateRules'; readonly version: number }
  /**
   * First entry of a new epoch: the engine could not apply entry `seq`, so the entries `seq` to `lastSeq` were
   * quarantined. `account` is the account of that command, `null` if it has none.
   */
  | {
      readonly kind: 'recordQuarantine';
      readonly seq: Seq;
      readonly lastSeq: Seq;
      readonly account: AccountId | null;
      readonly commandKind: string;
      readonly invariant: string;
    }
  /** What this exchange is run for: the first entry of every journal, and never changed. DEC-OPR-100. */
  | { readonly kind: 'recordProfile'; readonly profile: Profile }
  /** The key under which ids of the wallet are printed, sealed; a later one takes its place. DEC-WAL-171. */
  | { readonly kind: 'recordIdKey'; readonly sealedKey: string }
  | WalletCommand
  | SafetyCommand
  | PriceCommand
  | ProposalCommand
  | AccountCommand
  | RebateCommand
  | ContractCommand
  /**
   * A command by an operator: the same effect, and a fact that names the operator. A repeated idempotency key of the
   * same operator does nothing and tells the first outcome. Not nested.
   */
  | {
      readonly kind: 'operate';
      readonly actor: string;
      readonly idempotencyKey: string | null;
      readonly command: Exclude<Command, { readonly kind: 'operate' }>;
    };

/** Name of a kind of command. */
export type CommandKind = Command['kind'];

/** A command after sequencing. `seq` alone gives the order of replay; `at` is its time and never decreases. */
export interface Entry {
  readonly seq: Seq;
  readonly epoch: Epoch;
  readonly at: TimestampMs;
  readonly command: Command;
}
