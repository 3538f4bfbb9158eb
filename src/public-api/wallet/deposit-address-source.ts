import { monotonicClock } from '#base/clock.ts';
import { type ChainAddress, type NetworkCustody, NetworkUnavailable } from '#custody/custody.ts';
import type { AccountId } from '#model/units.ts';
import type { DepositAddress } from '#model/wallet.ts';
import { ApiError, refusalError } from '#http/errors.ts';
import { wireLimits } from '#http/limits.ts';
import type { EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import { submit } from '#public-api/submit.ts';
import { AnswerDeadlines } from '#http/answer-deadlines.ts';

const { addressAttempts } = wireLimits.wallet;
const deadlines = new AnswerDeadlines(wireLimits.queueTimeoutMs, monotonicClock.now);

const noAddress = (): ApiError => new ApiError('noAddressAvailable');

/** The address with an index; `null` if custody has none left, does not answer, or not in time. */
async function derive(custody: NetworkCustody, index: number): Promise<ChainAddress | null> {
  try {
    return await deadlines.within(custody.depositAddress(index), () => new NetworkUnavailable('too late'));
  } catch (error) {
    if (error instanceof NetworkUnavailable) return null;
    throw error;
  }
}

/**
 * Gives accounts their deposit addresses: custody derives the next one of a network, the engine records whose it is.
 * Requests for one network come one after the other, so that they do not take each other's index. DEC-WAL-72.
 */
export class DepositAddressSource {
  readonly #context: GatewayContext;
  /** The last request of each network, served or not. */
  readonly #lastOf = new Map<string, Promise<unknown>>();

  constructor(context: GatewayContext) {
    this.#context = context;
  }

  /**
   * The address of an account on a network; makes it if there is none.
   * @throws ApiError 10216 if custody gives none now.
   */
  async addressOf(account: AccountId, network: string, request: EndpointRequest): Promise<DepositAddress> {
    const known = await this.#context.queries.wallet.depositAddress(account, network);
    if (known !== null) return known;
    const custody = this.#context.custody.get(network);
    if (custody === undefined) throw noAddress();
    const before = this.#lastOf.get(network) ?? Promise.resolve();
    const made = before.then(() => this.#make(account, custody, request));
    this.#lastOf.set(
      network,
      made.catch(() => {}),
    );
    return made;
  }

  async #make(account: AccountId, custody: NetworkCustody, request: EndpointRequest): Promise<DepositAddress> {
    const { queries, monotonic } = this.#context;
    const { wallet } = queries;
    const { network } = custody;
    // Whoever waited this long behind others has no time left for a command.
    if (monotonic.now() - request.receivedMonotonic > wireLimits.queueTimeoutMs) throw noAddress();
    for (let attempt = 0; attempt < addressAttempts; attempt += 1) {
      const known = await wallet.depositAddress(account, network);
      if (known !== null) return known;
      const index = (await wallet.chain(network))?.addressCount;
      const derived = index === undefined ? null : await derive(custody, index);
      if (index === undefined || derived === null) throw noAddress();
      const address = { account, network, index, ...derived };
      const { events } = await submit(this.#context, request, { kind: 'assignDepositAddress', ...address });
      const refusal = events.find((event) => event.kind === 'commandRefused');
      if (refusal === undefined) return address;
      if (refusal.reason !== 'addressIndexTaken' && refusal.reason !== 'addressInUse')
        throw refusalError(refusal.reason);
    }
    throw noAddress();
  }
}
