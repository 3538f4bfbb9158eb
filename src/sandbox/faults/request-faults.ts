import type { Clock } from '#base/clock.ts';
import type { Answer } from '#http/refusal.ts';
import type { Delivery, InterceptedRequest, Interception, RequestInterceptor } from '#http/request-interception.ts';
import type { ArmedRule } from '#sandbox/faults/armed-rule.ts';
import { faultLimits, isOfRequests, type RequestFault } from '#sandbox/faults/fault-rule.ts';
import type { Holding } from '#sandbox/faults/holding.ts';
import { StaleAnswers } from '#sandbox/faults/stale-answers.ts';

type Serve = () => Answer | Promise<Answer>;
type FaultOf<Kind> = Extract<RequestFault, { readonly kind: Kind }>;

const whole = (answer: Answer): Delivery => ({ kind: 'answer', answer, cutAfter: null });
const nothing: Delivery = { kind: 'nothing' };

const failureOf = ({ status, code, message, retryAfterSeconds }: FaultOf<'refuse' | 'failAfter'>): Delivery => ({
  kind: 'failure',
  status,
  code: code ?? status,
  message,
  retryAfterSeconds,
});

/** Text that ends in the middle of its JSON and goes on with what JSON does not have. */
const malformed = ({ status, text }: Answer): Answer => ({
  status,
  text: `${text.slice(0, Math.ceil(text.length / 2))}}{`,
});

const microsPerMs = 1000;
const successStatus = 200;

/** Does to requests what the rules in force say: the first rule that strikes, alone. DEC-KIT-20. */
export class RequestFaults implements RequestInterceptor {
  readonly #clock: Clock;
  readonly #holding: Holding;
  #rules: readonly ArmedRule[] = [];
  #stale = new WeakMap<ArmedRule, StaleAnswers>();

  constructor(clock: Clock, holding: Holding) {
    this.#clock = clock;
    this.#holding = holding;
  }

  get isArmed(): boolean {
    return this.#rules.length > 0;
  }

  /** Puts rules in force in place of those before; those of streams are none of its own. */
  arm(rules: readonly ArmedRule[]): void {
    this.#rules = rules.filter(({ rule: { fault } }) => isOfRequests(fault));
  }

  intercept(request: InterceptedRequest): Interception | null {
    const now = this.#clock.now();
    for (const rule of this.#rules) {
      if (rule.isOver(now) || !rule.isAbout(request) || !rule.strikes()) continue;
      const { fault } = rule.rule;
      if (!isOfRequests(fault)) continue;
      return { fault: rule.id, deliver: (serve) => this.#deliver({ rule, fault, request }, serve) };
    }
    return null;
  }

  async #deliver(
    {
      rule,
      fault,
      request,
    }: { readonly rule: ArmedRule; readonly fault: RequestFault; readonly request: InterceptedRequest },
    serve: Serve,
  ): Promise<Delivery> {
    switch (fault.kind) {
      case 'delay':
        return whole(await this.#delayed(rule, fault, request, serve));
      case 'refuse':
        return failureOf(fault);
      case 'failAfter':
        await serve();
        return failureOf(fault);
      case 'drop':
        if (fault.at === 'answer') await serve();
        return nothing;
      case 'truncate': {
        const answer = await serve();
        const bytes = Buffer.byteLength(answer.text);
        // Never all of it: then nothing would be missing.
        const cutAfter = Math.min(fault.bytes ?? Math.floor(bytes / 2), Math.max(0, bytes - 1));
        return { kind: 'answer', answer, cutAfter };
      }
      case 'malform':
        return whole(malformed(await serve()));
      case 'stale': {
        const answer = await serve();
        // A refusal is told as it is: who is not let in must not read what was true before.
        if (answer.status !== successStatus) return whole(answer);
        return whole(this.#staleOf(rule).after(request, answer, { now: this.#clock.now(), ms: fault.ms }));
      }
    }
  }

  async #delayed(rule: ArmedRule, fault: FaultOf<'delay'>, request: InterceptedRequest, serve: Serve): Promise<Answer> {
    const { at, ms, spreadMs, perByteUs } = fault;
    const spread = rule.chance(spreadMs);
    const waitFor = (bytes: number): Promise<void> => {
      const wanted = ms + spread + Math.floor((bytes * perByteUs) / microsPerMs);
      return this.#holding.wait(rule, Math.min(wanted, faultLimits.delayMs));
    };
    if (at === 'request') {
      await waitFor(request.bodyBytes);
      return serve();
    }
    const answer = await serve();
    await waitFor(Buffer.byteLength(answer.text));
    return answer;
  }

  #staleOf(rule: ArmedRule): StaleAnswers {
    const known = this.#stale.get(rule) ?? new StaleAnswers();
    this.#stale.set(rule, known);
    return known;
  }
}
