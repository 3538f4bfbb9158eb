import type { CloseReason, OrderKind, StpMode } from '#model/order.ts';
import type { SideCode } from '#engine/book/side-code.ts';

/**
 * Layout of the flags word: side 1 bit, kind 3, self-trade prevention 2, close reason + 1 in 4, by quote amount 1,
 * length of the client order id 6.
 */
const sideBit = 1;
const kindAt = 1;
const stpAt = 4;
const reasonAt = 6;
const byBudgetBit = 1 << 10;
const idLengthAt = 11;

/** Packs the flags of an open order without client order id. */
export const packFlags = (side: SideCode, kind: number, stp: number, byBudget: boolean): number =>
  side | (kind << kindAt) | (stp << stpAt) | (byBudget ? byBudgetBit : 0);
/** Sets the length of the client order id, 0 if there is none. */
export const withIdLength = (flags: number, length: number): number =>
  (flags & ((1 << idLengthAt) - 1)) | (length << idLengthAt);
/** Sets the close reason. */
export const withReason = (flags: number, reason: CloseReason): number => flags | (reasonCode(reason) << reasonAt);
/** Length of the client order id, 0 if there is none. */
export const idLengthOfFlags = (flags: number): number => flags >>> idLengthAt;
/** The side of an order. */
export const sideOfFlags = (flags: number): SideCode => (flags & sideBit) as SideCode;
/** Whether the order is by quote amount. */
export const isByBudgetFlags = (flags: number): boolean => (flags & byBudgetBit) !== 0;
/** Index into `closeReasons` + 1; 0 of an open order. */
export const reasonOfFlags = (flags: number): number => (flags >> reasonAt) & 15;
/** Index into `orderKinds`. */
export const kindOfFlags = (flags: number): number => (flags >> kindAt) & 7;
/** Index into `stpModes`. */
export const stpOfFlags = (flags: number): number => (flags >> stpAt) & 3;

/** Index into `orderKinds`. A switch compares string addresses, which is faster than a search. */
export function kindCode(kind: OrderKind): number {
  switch (kind) {
    case 'limit':
      return 0;
    case 'postOnly':
      return 1;
    case 'immediateOrCancel':
      return 2;
    case 'fillOrKill':
      return 3;
    case 'market':
      return 4;
  }
}

/** Index into `stpModes`. */
export function stpCode(mode: StpMode): number {
  switch (mode) {
    case 'none':
      return 0;
    case 'cancelMaker':
      return 1;
    case 'cancelTaker':
      return 2;
    case 'cancelBoth':
      return 3;
  }
}

/** Index into `closeReasons`, from 1. */
function reasonCode(reason: CloseReason): number {
  switch (reason) {
    case 'filled':
      return 1;
    case 'byUser':
      return 2;
    case 'stp':
      return 3;
    case 'unfilledRest':
      return 4;
    case 'collar':
      return 5;
    case 'byExchange':
      return 6;
  }
}
