import type { AccountId } from '#model/units.ts';
import { type DepositAddress, depositAddress } from '#model/wallet.ts';
import { RecordTable } from '#engine/state/state-table.ts';

/** Deposit addresses by account and network, and whose an address is. */
export class DepositAddresses extends RecordTable<DepositAddress> {
  readonly name = 'depositAddresses';
  private readonly addresses: DepositAddress[] = [];
  private readonly ofAccount = new Map<string, DepositAddress>();
  private readonly byAddress = new Map<string, DepositAddress>();
  private readonly shared = new Set<string>();

  constructor() {
    super(depositAddress);
  }

  of(account: AccountId, network: string): DepositAddress | null {
    return this.ofAccount.get(`${account}/${network}`) ?? null;
  }

  /** Whose address it is; `null` if it is nobody's. */
  find(network: string, address: string, memo: string | null): DepositAddress | null {
    return this.byAddress.get(keyOf(network, address, memo)) ?? null;
  }

  /** Whether anybody has this address, with whatever memo. */
  isOurs(network: string, address: string): boolean {
    return this.shared.has(keyOf(network, address, null)) || this.find(network, address, null) !== null;
  }

  /** In the order in which they were given. */
  all(): readonly DepositAddress[] {
    return this.addresses;
  }

  put(address: DepositAddress): void {
    this.addresses.push(address);
    this.ofAccount.set(`${address.account}/${address.network}`, address);
    this.byAddress.set(keyOf(address.network, address.address, address.memo), address);
    if (address.memo !== null) this.shared.add(keyOf(address.network, address.address, null));
  }
}

const keyOf = (network: string, address: string, memo: string | null): string => `${network}/${address}/${memo ?? ''}`;
