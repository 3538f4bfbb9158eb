/** How much of a coin leaves in an hour, and from which balance of a deposit address on it is swept. */
export interface CoinSettings {
  /** In the smallest unit; null: no limit. */
  readonly perHourMax: bigint | null;
  /** In the smallest unit, above zero; null: never swept. Choose it well above what sweeping costs. */
  readonly sweepFrom: bigint | null;
  /** What the hot wallet should have at least, in the smallest unit, for metrics; null or not given: not said. */
  readonly hotFloor?: bigint | null;
}

/** The native coin, which pays for gas too. */
export interface NativeCoinSettings extends CoinSettings {
  /** What the gas wallet should have at least, likewise. */
  readonly gasFloor?: bigint | null;
}

/** A token, by its contract on this chain. */
export interface TokenSettings extends CoinSettings {
  readonly contract: string;
}

/** Most that a transaction may cost. */
export interface FeeCaps {
  /** Base fee and priority fee together, in wei per gas. */
  readonly feePerGasMax: bigint;
  readonly priorityFeePerGasMax: bigint;
  /** Gas of one transaction; a contract that wants more is not paid. */
  readonly gasMax: bigint;
}

/**
 * Whose keys the addresses have. `hot`: `seed` is a BIP-32 seed of 16 to 64 bytes, and this process can spend. `watch`:
 * `xpub` is the key of an account, and somebody else spends; `treasury` are the addresses he sweeps to.
 */
export type EvmKeySource =
  | { readonly kind: 'hot'; readonly seed: Uint8Array }
  | { readonly kind: 'watch'; readonly xpub: string; readonly treasury: readonly string[] };

/** What an operator decides about one EVM chain. */
export interface EvmSettings {
  /** Code of the network, such as `ETH`. */
  readonly network: string;
  /** JSON-RPC over HTTP, of a node of the operator's own or one that he trusts; it must answer batches. */
  readonly rpcUrl: string;
  /** A node of another chain is not listened to. */
  readonly chainId: number;
  /** First block to look for deposits in; null: the next one when the network is first served. */
  readonly startBlock: number | null;
  readonly keys: EvmKeySource;
  /** Transactions that the hot wallet had sent before this exchange used it; those with lower nonces are its past. */
  readonly firstNonce: number;
  readonly nativeCoin: NativeCoinSettings;
  /** Every token whose deposits are seen and which can be withdrawn. */
  readonly tokens: readonly TokenSettings[];
  readonly feeCaps: FeeCaps;
  /** Blocks that a withdrawal waits before it is signed again with a higher fee; at least 1. */
  readonly replaceAfterBlocks: number;
  /** Confirmations from which a sweep is recorded for good; at least 1. */
  readonly sweepConfirmations: number;
  /** Milliseconds for one request to the node. */
  readonly requestTimeoutMs: number;
  /** Blocks that one question reads at most. */
  readonly blocksPerCall: number;
  /** Milliseconds from one round of sweeping to the next at least; 0: whenever it is asked for. */
  readonly sweepEveryMs: number;
  /** Deposit addresses that one round of sweeping looks at. */
  readonly addressesPerSweep: number;
}

/** Settings that suit a chain with a block every 12 seconds, such as Ethereum; an operator may change each. */
export const usualSettings = {
  firstNonce: 0,
  feeCaps: { feePerGasMax: 200_000_000_000n, priorityFeePerGasMax: 5_000_000_000n, gasMax: 300_000n },
  replaceAfterBlocks: 10,
  sweepConfirmations: 64,
  requestTimeoutMs: 10_000,
  blocksPerCall: 50,
  sweepEveryMs: 60_000,
  addressesPerSweep: 200,
} as const satisfies Partial<EvmSettings>;

/** What is wrong with settings, beside keys and addresses, which are checked where they are read; null: nothing. */
export function settingsFault(settings: EvmSettings): string | null {
  const atLeastOne = [
    'chainId',
    'replaceAfterBlocks',
    'sweepConfirmations',
    'requestTimeoutMs',
    'blocksPerCall',
    'addressesPerSweep',
  ] as const;
  const small = atLeastOne.find((name) => !Number.isSafeInteger(settings[name]) || settings[name] < 1);
  if (small !== undefined) return `${small} must be a whole number from 1 on`;
  const { startBlock, firstNonce, feeCaps, nativeCoin, tokens, sweepEveryMs } = settings;
  if (!Number.isSafeInteger(firstNonce) || firstNonce < 0) return 'firstNonce must be a whole number from 0 on';
  if (!Number.isSafeInteger(sweepEveryMs) || sweepEveryMs < 0) return 'sweepEveryMs must be a whole number from 0 on';
  if (startBlock !== null && (!Number.isSafeInteger(startBlock) || startBlock < 0))
    return 'startBlock must be a whole number from 0 on';
  if (feeCaps.feePerGasMax < 1n || feeCaps.priorityFeePerGasMax < 0n || feeCaps.gasMax < 21_000n)
    return 'feeCaps are too low to pay any fee';
  const isNothing = (amount: bigint | null) => amount !== null && amount < 1n;
  if ([nativeCoin, ...tokens].some(({ perHourMax, sweepFrom }) => isNothing(perHourMax) || isNothing(sweepFrom)))
    return 'perHourMax and sweepFrom must be above zero, or null';
  const contracts = tokens.map(({ contract }) => contract.toLowerCase());
  return new Set(contracts).size === contracts.length ? null : 'a token is listed twice';
}
