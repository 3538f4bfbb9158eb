import { futuresWalletOf, type AccountView } from '#model/account.ts';
import type { Fact } from '#model/events.ts';
import type { AccountId, Seq } from '#model/units.ts';
import type { ConversionView, SendView, TransferView } from '#model/wallet.ts';
import type { RowLists } from '#history/tables/history-tables.ts';
import { depositRow, withdrawalRow } from '#history/tables/wallet-rows.ts';
import type { ConversionRow, DepositRow, SendRow, TransferRow } from '#history/tables/wallet-tables.ts';

/** Adds a row to the batch that is open. */
export type AddRow = <Name extends keyof RowLists>(table: Name, row: RowLists[Name][number]) => void;

/** Turns what happens in the wallet into rows. Nothing of simulated accounts is kept. */
export class WalletCollector {
  readonly #add: AddRow;
  /** Simulated accounts and their futures wallets. */
  readonly #simulated = new Set<AccountId>();
  /** Masters of sub-accounts. */
  readonly #masters = new Map<AccountId, AccountId>();
  #seq = 0 as Seq;

  constructor(add: AddRow) {
    this.#add = add;
  }

  know({ account, master, simulated: isSimulated }: AccountView): void {
    if (master !== account) this.#masters.set(account, master);
    for (const each of [account, futuresWalletOf(account)]) {
      if (isSimulated) this.#simulated.add(each);
      else this.#simulated.delete(each);
    }
  }

  isKept(account: AccountId): boolean {
    return !this.#simulated.has(account);
  }

  began(seq: Seq): void {
    this.#seq = seq;
  }

  fact(fact: Fact): void {
    switch (fact.kind) {
      case 'depositChanged':
      case 'depositLost':
        if (this.isKept(fact.deposit.account)) this.#deposit(depositRow(fact.deposit, this.#seq));
        return;
      case 'withdrawalChanged':
        if (this.isKept(fact.withdrawal.account)) this.#add('withdrawals', withdrawalRow(fact.withdrawal, this.#seq));
        return;
      case 'fundsTransferred':
        if (this.isKept(fact.transfer.account)) this.#add('transfers', transferRow(fact.transfer, this.#seq));
        return;
      case 'fundsSent':
        for (const row of sendRows(fact.send, this.#seq)) if (this.isKept(row.account)) this.#add('sends', row);
        return;
      case 'dustConverted':
        if (fact.conversion === null || !this.isKept(fact.conversion.account)) return;
        for (const row of conversionRows(fact.conversion, this.#seq)) this.#add('conversions', row);
        return;
      case 'balanceAdjusted': {
        const { worth: _, idempotencyKey: __, ...row } = fact.adjustment;
        this.#add('adjustments', { ...row, seq: this.#seq });
        return;
      }
      case 'accountNoted':
        this.#add('accountNotes', { ...fact.note, seq: this.#seq });
        return;
      case 'operatorActed':
        this.#add('operatorActs', { ...fact.act, isRefused: fact.act.refusal !== null });
    }
  }

  #deposit(row: DepositRow): void {
    this.#add('deposits', row);
    const master = this.#masters.get(row.account);
    if (master !== undefined) this.#add('subAccountDeposits', { master, ...row });
  }
}

const transferRow = (transfer: TransferView, seq: Seq): TransferRow => ({
  account: transfer.account,
  at: transfer.at,
  transfer: transfer.transfer,
  seq,
  asset: transfer.asset,
  amount: transfer.amount,
  from: transfer.from,
  to: transfer.to,
  clientTranId: transfer.clientTranId,
});

function sendRows({ send, from, to, asset, amount, targetKind, target, at }: SendView, seq: Seq): readonly SendRow[] {
  const both = { at, send, seq, asset, amount, targetKind, target };
  return [
    { ...both, account: from, direction: 'out', counterparty: to },
    { ...both, account: to, direction: 'in', counterparty: from },
  ];
}

const conversionRows = ({ account, at, conversion, assets }: ConversionView, seq: Seq): readonly ConversionRow[] =>
  assets.map(({ asset, amount, converted, fee }, line) => ({
    account,
    at,
    conversion,
    line,
    seq,
    asset,
    amount,
    converted,
    fee,
  }));
