import type { SubAccountView, UniversalTransferView } from '#model/sub-account.ts';

/** What happened to sub-accounts, each with the whole record as it is now; of other accounts `events.ts` tells. */
export type AccountFact =
  /** Opened or changed. Comes after `accountOpened`. */
  | { readonly kind: 'subAccountChanged'; readonly subAccount: SubAccountView }
  | { readonly kind: 'universalTransferMade'; readonly transfer: UniversalTransferView }
  /** The same `clientTranId` with the same terms: nothing new. DEC-REQ-27. */
  | { readonly kind: 'universalTransferRepeated'; readonly transfer: UniversalTransferView };
