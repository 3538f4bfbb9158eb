import { type UniversalTransferView, universalTransfer } from '#model/sub-account.ts';
import { type TransferView, transfer } from '#model/wallet.ts';
import { RememberedTransfers } from '#engine/state/wallet/remembered-transfers.ts';

/** Transfers between the wallets of one account, by that account. */
export class Transfers extends RememberedTransfers<TransferView> {
  readonly name = 'transfers';

  constructor() {
    super(
      transfer,
      ({ account }) => account,
      ({ transfer: number }) => number,
    );
  }
}

/** Transfers between the wallets of a master and its sub-accounts, by the master. SPEC-SUB-07. */
export class UniversalTransfers extends RememberedTransfers<UniversalTransferView> {
  readonly name = 'universalTransfers';

  constructor() {
    super(
      universalTransfer,
      ({ master }) => master,
      ({ transfer: number }) => number,
    );
  }
}
