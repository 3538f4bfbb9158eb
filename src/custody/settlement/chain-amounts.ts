import { powersOfTen } from '#base/decimal.ts';
import type { Balance } from '#model/units.ts';
import { as } from '#model/units.ts';

/**
 * A chain's amount on the ledger, rounded down: what the chain counts finer stays in custody as the remainder of the
 * address. DEC-WAL-19. `chainScale` and `ledgerScale`: decimals of either.
 */
export function toLedger(amount: bigint, chainScale: number, ledgerScale: number): Balance {
  const finer = chainScale - ledgerScale;
  return as<Balance>(finer >= 0 ? amount / tenTo(finer) : amount * tenTo(-finer));
}

/** A network fee on the ledger, rounded up: custody never has less than the ledger says. DEC-WAL-92. */
export function feeToLedger(fee: bigint, chainScale: number, ledgerScale: number): Balance {
  const finer = chainScale - ledgerScale;
  return finer > 0
    ? toLedger(fee + tenTo(finer) - 1n, chainScale, ledgerScale)
    : toLedger(fee, chainScale, ledgerScale);
}

/** A ledger's amount on a chain; `null` if the chain counts coarser and cannot express it. */
export function toChain(amount: bigint, chainScale: number, ledgerScale: number): bigint | null {
  const finer = chainScale - ledgerScale;
  if (finer >= 0) return amount * tenTo(finer);
  return amount % tenTo(-finer) === 0n ? amount / tenTo(-finer) : null;
}

/** A ledger's amount on a chain, rounded up where the chain counts coarser: for what is compared with a limit. */
export function toChainAtLeast(amount: bigint, chainScale: number, ledgerScale: number): bigint {
  const unit = tenTo(Math.max(0, ledgerScale - chainScale));
  return toChain(amount + ((unit - (amount % unit)) % unit), chainScale, ledgerScale)!;
}

const tenTo = (power: number): bigint => powersOfTen[power] ?? 10n ** BigInt(power);
