import { ApiError } from '#http/errors.ts';
import { newPasswordForm } from '#public-api/declaration/key-fields.ts';
import { wireLimits } from '#http/limits.ts';
import type { Caller, EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import { type PasswordHashes, waitForPassword } from '#public-api/broker/password-hashes.ts';
import { RecentMisses } from '#public-api/wallet/recent-misses.ts';
import type { Received } from '#public-api/submit.ts';

const { broker: limits } = wireLimits;
const parameter = 'password';

const passwordHashOf = async ({ queries }: GatewayContext, { account }: Caller): Promise<string | null> =>
  (await queries.subAccounts.of(account.account))?.passwordHash ?? null;

/**
 * Refuses a caller whose withdrawals ask for a password: where none can be sent, its money does not leave. DEC-SUB-100.
 * @throws ApiError 730002.
 */
export async function refuseWithPassword(context: GatewayContext, caller: Caller): Promise<void> {
  if ((await passwordHashOf(context, caller)) === null) return;
  const why = 'this account has one: withdraw by broker/capital/withdraw/apply';
  throw new ApiError('subAccountParameterError', { parameter, why });
}

/** Checks passwords of withdrawals, where one is set. DEC-SUB-16. */
export class WithdrawalPasswords {
  readonly #context: GatewayContext;
  readonly #hashes: PasswordHashes;
  readonly #misses: RecentMisses;

  constructor(context: GatewayContext, hashes: PasswordHashes) {
    this.#context = context;
    this.#hashes = hashes;
    this.#misses = new RecentMisses(context.windows ?? context.monotonic, {
      most: limits.wrongPasswords,
      windowMs: limits.wrongPasswordsWindowMs,
      entriesKept: limits.wrongPasswordsKept,
    });
  }

  /**
   * What checks the caller's password: it costs, so it is called when nothing else is wrong. `null`: the caller has
   * none. DEC-SUB-56.
   * @throws ApiError 730002 for one that is missing or no password at all; what is answered throws 730002 for a wrong
   * one, 10098 after too many of them, 429 if too many wait.
   */
  async checkOf(
    caller: Caller,
    given: string | undefined,
    request: EndpointRequest,
  ): Promise<(() => Promise<Received>) | null> {
    const hash = await passwordHashOf(this.#context, caller);
    if (hash === null) return null;
    if (given === undefined) {
      throw new ApiError('subAccountParameterError', { parameter, why: 'withdrawals of this sub-account ask for it' });
    }
    if (!newPasswordForm.test(given)) throw new ApiError('subAccountParameterError', { parameter, why: 'it is wrong' });
    return async () => {
      await waitForPassword(request, this.#match(caller, given.toLowerCase(), hash));
      return { receivedMonotonic: this.#context.monotonic.now() };
    };
  }

  async #match({ account: { account, master } }: Caller, given: string, hash: string): Promise<void> {
    const tooMany = { parameter, why: 'too many wrong ones, wait a minute' };
    const refuseMany = (): void => {
      if (this.#misses.isAtLimit(account)) throw new ApiError('riskControlAbnormal', tooMany);
    };
    refuseMany();
    // Those that waited with it may have been wrong meanwhile.
    if (await this.#hashes.matches(given, hash, { broker: master, account }, refuseMany)) return;
    if (!this.#misses.add(account)) throw new ApiError('riskControlAbnormal', tooMany);
    throw new ApiError('subAccountParameterError', { parameter, why: 'it is wrong' });
  }
}
