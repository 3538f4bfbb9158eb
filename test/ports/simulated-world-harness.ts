import { networkCodes } from '#custody/addresses/networks.ts';
import type { NetworkCustody, OutgoingPayment, SignedTransaction } from '#custody/custody.ts';
import { MemoryChainStorage } from './memory-chain-storage.ts';
import type { SimulatedCustody } from '#custody/simulated/simulated-custody.ts';
import { openSimulatedCustody } from '#custody/simulated/simulated-custody.ts';
import { confirmationsOf } from '../chain-sight.ts';

export const blockMs = 5000;
export const day = 86_400_000;
/** When worlds begin. */
export const began = 1_700_000_000_000;
export const satoshi = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
export const vitalik = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

/** A simulated world whose clock the test sets. */
export class SimulatedWorldHarness {
  now = began;
  opened!: SimulatedCustody;
  readonly storage: MemoryChainStorage;

  constructor(content?: Uint8Array) {
    this.storage = new MemoryChainStorage(content);
  }
  async open(seed = 'a', pace = blockMs): Promise<this> {
    this.opened = await openSimulatedCustody({
      seed,
      clock: { now: () => this.now },
      blockMs: pace,
      storage: this.storage,
    });
    return this;
  }
  on(network: string): NetworkCustody {
    return this.opened.custody.get(network)!;
  }
  async deposit(network: string, index = 0, amount = 5n): Promise<string> {
    const address = await this.on(network).depositAddress(index);
    return this.opened.controls.deposit({ network, ...address!, contract: null, amount });
  }
  async confirmations(network: string, txId: string): Promise<number | null | undefined> {
    const [confirmations] = await confirmationsOf(this.on(network), [{ txId, output: 0 }]);
    return confirmations;
  }
  async sign(network: string, payment: Partial<OutgoingPayment> = {}): Promise<SignedTransaction> {
    const address = network === 'BTC' ? satoshi : vitalik;
    const full = { reference: 'one', address, memo: null, contract: null, amount: 7n, ...payment };
    const signing = await this.on(network).sign(full, 0, 0n);
    if (signing.kind === 'refused') throw new Error(signing.reason);
    return signing.transaction;
  }
  async height(network = 'BTC'): Promise<number> {
    return (await this.opened.controls.state(network)).height;
  }
  states(): Promise<readonly unknown[]> {
    return Promise.all(networkCodes.map((network) => this.opened.controls.state(network)));
  }
}
