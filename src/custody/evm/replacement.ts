import { BoundedCache } from '#base/bounded-cache.ts';
import type { OutgoingPayment, SignedTransaction } from '#custody/custody.ts';
import { fateOf } from '#custody/evm/fate.ts';
import { marketFees, replacementFees } from '#custody/evm/fees.ts';
import type { SentTransaction } from '#custody/evm/sent-transaction.ts';
import type { SigningTools } from '#custody/evm/signing.ts';
import { signTransfer, transferOf } from '#custody/evm/signing.ts';

/** Waiting transactions that are remembered. */
const waitingKept = 1000;

/**
 * Signs transactions anew that wait too long. Since when one waits is kept in memory: after a restart the count begins
 * again, and a replacement comes later.
 */
export class Replacements {
  readonly #tools: SigningTools;
  /** By transaction: the newest block when it was first asked about. */
  readonly #waitingSince = new BoundedCache<string, number>({ entriesKept: waitingKept });

  constructor(tools: SigningTools) {
    this.#tools = tools;
  }

  /**
   * The payment with the nonce of `sent` and fees that nodes take instead; null where `sent` is in a block, has not
   * waited long enough, or a higher fee is above the cap.
   */
  async replacementFor(payment: OutgoingPayment, sent: SentTransaction): Promise<SignedTransaction | null> {
    const { node, keys, settings } = this.#tools;
    if (keys.spending === null) return null;
    const { txId } = sent;
    const head = await node.head();
    const since = this.#waitingSince.get(txId) ?? head.number;
    this.#waitingSince.set(txId, since);
    if (head.number - since < settings.replaceAfterBlocks) return null;
    const fate = await fateOf(node, head, sent);
    // A node that drops a transaction because its fee is too low does not know it any more: it needs a higher one too.
    const isMissing = fate.kind === 'waiting' || fate.kind === 'unknown';
    const market = isMissing ? await marketFees(node, head, settings.feeCaps) : null;
    const fees = market === null ? null : replacementFees(sent, market, settings.feeCaps);
    if (fees === null) return null;
    const { gas, nonce } = sent;
    const { chainId } = settings;
    return signTransfer(keys.spending.hotWallet, transferOf(payment), { chainId, nonce, gas, fees });
  }
}
