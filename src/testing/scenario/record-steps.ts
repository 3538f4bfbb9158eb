import { catalogue } from '#operator-api/catalogue.ts';
import type { LoggedEntry, RecordedLog } from '#testing/scenario/record-log.ts';
import { actions, type ScenarioStep } from '#testing/scenario/scenario-schema.ts';
import type { Action } from '#testing/scenario/world.ts';

type Members = Readonly<Record<string, unknown>>;

/** Text as the members of a JSON object; empty: it is none. */
function jsonOf(text: string | null): Members {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
  } catch {
    return {};
  }
}

/** Parameters that every run makes anew. */
const ofSigning: ReadonlySet<string> = new Set(['timestamp', 'recvWindow', 'signature']);
/** Members of answers that later requests may name. */
const idNames = ['orderId', 'id', 'txId'] as const;
const idLengthLeast = 8;
/** A gap up to this long passes finely, as it did. */
const fineMs = 600_000;

/** Calls that say something of the log, of states, or of what a run makes by itself. */
const leftOut: ReadonlySet<string> = new Set([
  ...['openFaucet', 'impersonate', 'cancelAdvance', 'registerAccount', 'createApiKey'],
  ...['saveState', 'restoreState', 'resetExchange', 'deleteState', 'forkState', 'deleteFork'],
]);

/** Steps of a scenario, out of what was logged. */
export class RecordedSteps {
  readonly steps: ScenarioStep[] = [];
  /** Orders that were placed, by id: what calls them, and who placed them. */
  readonly orders = new Map<
    string,
    { readonly reference: string; readonly account: string; readonly symbol: string }
  >();
  readonly #names: ReadonlyMap<number, string>;
  readonly #addresses: ReadonlyMap<string, string>;
  /** What stands for ids of answers. */
  readonly #references = new Map<string, string>();
  #clock: number;
  #named = 0;

  /** `names`: of accounts by uid; `addresses`: accounts by the addresses that they are paid at. */
  constructor(log: RecordedLog, names: ReadonlyMap<number, string>, addresses: ReadonlyMap<string, string>) {
    this.#names = names;
    this.#addresses = addresses;
    this.#clock = log.beganAt;
    for (const entry of log.entries) this.#take(entry);
    this.#passTo(log.endedAt);
  }

  #take(entry: LoggedEntry): void {
    if (entry.kind === 'control') this.#takeControl(entry);
    else this.#takeChange(entry);
  }

  #takeChange(entry: LoggedEntry): void {
    const { method, path, account } = entry;
    const name = account === null ? undefined : this.#names.get(account);
    // What was only read changes nothing; listen keys are of connections, which are not recorded.
    if (method === 'GET' || method === null || path === null || name === undefined) return;
    if (path.endsWith('/userDataStream')) return;
    this.#passTo(entry.at);
    this.#takeRequest(entry, name, method, path);
  }

  /** Lets the clock pass to a moment, as it did between two things that were done. */
  #passTo(moment: number, pace?: unknown): void {
    const ms = moment - this.#clock;
    if (ms <= 0) return;
    this.#clock = moment;
    const how = pace ?? (ms > 60_000 && ms <= fineMs ? 'fine' : undefined);
    this.steps.push({ clock: { advance: spanOf(ms), ...(how === undefined ? {} : { pace: how }) } });
  }

  #takeRequest(entry: LoggedEntry, account: string, method: string, path: string): void {
    const sent = { ...Object.fromEntries(new URLSearchParams(entry.query ?? '')), ...bodyOf(entry.body) };
    const parameters = Object.fromEntries(
      Object.entries(sent)
        .filter(([name]) => !ofSigning.has(name))
        .map(([name, value]) => [name, this.#referenceFor(value)]),
    );
    const answer = jsonOf(entry.answer);
    const isRead = entry.status !== null && entry.cutAfter === null && isJson(entry.answer);
    const expected = !isRead
      ? { isLost: true }
      : entry.status === 200
        ? null
        : { status: entry.status, ...codeOf(answer) };
    const as = this.#nameAnswer(answer, path);
    this.steps.push({
      ...stepOf(method, path, { account, ...parameters }),
      ...(expected === null ? {} : { answer: expected }),
      ...(as === null || expected !== null ? {} : { as }),
    });
    if (path !== '/api/v3/order' || method !== 'POST' || typeof answer['orderId'] !== 'string' || as === null) return;
    const reference = `\${${as}.orderId}`;
    this.orders.set(answer['orderId'], { reference, account, symbol: String(parameters['symbol']) });
  }

  /** Gives a name to an answer with an id, by which later steps call it; `null`: it has none. */
  #nameAnswer(answer: Members, path: string): string | null {
    const isNew = (id: string): boolean => id.length >= idLengthLeast && !this.#references.has(id);
    const ids = idNames.filter((name) => isNew(String(answer[name] ?? '')));
    if (ids.length === 0) return null;
    this.#named += 1;
    const as = `${path.split('/').at(-1)}-${this.#named}`.replace(/^[^A-Za-z]/, 'a');
    for (const name of ids) this.#references.set(String(answer[name]), `\${${as}.${name}}`);
    return as;
  }

  #referenceFor(value: unknown): unknown {
    return this.#references.get(String(value)) ?? value;
  }

  #takeControl(entry: LoggedEntry): void {
    const { endpoint, path } = entry;
    const answer = jsonOf(entry.answer);
    if (endpoint === null || path === null || leftOut.has(endpoint)) return;
    if (/^(?:advanceClock|setClock)/.test(endpoint)) {
      this.#takeClock(endpoint, jsonOf(entry.body), answer);
      return;
    }
    this.#passTo(entry.at);
    const { reason: _, ...members } = {
      ...Object.fromEntries(new URLSearchParams(entry.query ?? '')),
      ...jsonOf(entry.body),
    };
    this.steps.push(this.#controlStep(endpoint, { ...partsOfPath(endpoint, path), ...members }));
  }

  /** Time passes by itself in a run: of the clock only what was skipped is told. */
  #takeClock(endpoint: string, body: Members, answer: Members): void {
    const now = Number(answer['now']);
    if (endpoint !== 'setClock') this.#passTo(now, body['pace'] ?? 'auto');
    if (endpoint !== 'setClock' || typeof body['now'] !== 'number' || now <= this.#clock) return;
    this.#clock = now;
    this.steps.push({ clock: { set: { now } } });
  }

  #controlStep(call: string, members: Members): ScenarioStep {
    const named = Object.fromEntries(Object.entries(members).map(([name, value]) => [name, this.#referenceFor(value)]));
    const { uid, ...others } = named;
    const account = typeof uid === 'number' ? this.#names.get(uid) : undefined;
    const payee = this.#addresses.get(String(named['address']));
    if (call === 'depositOnChain' && payee !== undefined) {
      const { network, asset, amount } = named;
      return { chain: { deposit: { account: payee, network, asset, amount } } };
    }
    if (call === 'setBalance' && account !== undefined) return { faucet: { account, ...others } };
    if (call === 'addFault') return { faults: { add: this.#faultRule(named) } };
    const written = writtenBy(call, account === undefined ? named : { account, ...others });
    if (written !== null) return written;
    return { operator: { call, with: account === undefined ? named : { uid: `\${${account}.uid}`, ...others } } };
  }

  #faultRule({ match, ...rule }: Members): Members {
    const { account, ...others } = (match ?? {}) as Members;
    const name = typeof account === 'number' ? this.#names.get(account) : undefined;
    return { ...rule, match: name === undefined ? others : { account: name, ...others } };
  }
}

const spanOf = (ms: number): string =>
  ms % 3_600_000 === 0
    ? `${ms / 3_600_000}h`
    : ms % 60_000 === 0
      ? `${ms / 60_000}m`
      : ms % 1000 === 0
        ? `${ms / 1000}s`
        : `${ms}ms`;

/** Parameters of a body: JSON, or a form. */
function bodyOf(body: string | null): Members {
  if (body === null || body === '') return {};
  return body.trimStart().startsWith('{') ? jsonOf(body) : Object.fromEntries(new URLSearchParams(body));
}

function isJson(text: string | null): boolean {
  try {
    JSON.parse(text ?? '');
    return true;
  } catch {
    return false;
  }
}

const codeOf = ({ code }: Members): Members => (typeof code === 'number' || typeof code === 'string' ? { code } : {});

/** A request as the action that it is, else as itself. */
function stepOf(method: string, path: string, members: Members): ScenarioStep {
  const isOne = 'orderId' in members || 'origClientOrderId' in members;
  const verb =
    method === 'POST' && path === '/api/v3/order'
      ? 'order'
      : method === 'DELETE' && (path === '/api/v3/order' ? isOne : path === '/api/v3/openOrders' && !isOne)
        ? 'cancel'
        : method === 'POST' && path === '/api/v3/capital/withdraw'
          ? 'withdraw'
          : null;
  if (verb !== null && isTaken(verb, members)) return { [verb]: members };
  const { account, ...parameters } = members;
  return { request: { method, path, parameters: textsOf(parameters), account } };
}

/** References stand in for ids: whether the action takes the members does not hang on them. */
const isTaken = (verb: 'order' | 'cancel' | 'withdraw', members: Members): boolean =>
  actions[verb].schema.safeParse(members).success;

const textsOf = (parameters: Members): Members =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : value,
    ]),
  );

const pathOf = (endpoint: string): string =>
  (catalogue as Readonly<Record<string, { readonly path: string }>>)[endpoint]?.path ?? '';

/** Members of the path of a call. */
function partsOfPath(endpoint: string, path: string): Members {
  const declared = pathOf(endpoint).split('/');
  const parts = path.split('/').map(decodeURIComponent);
  return Object.fromEntries(
    declared.flatMap((part, at) => {
      const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
      const text = parts[at] ?? '';
      return name === undefined
        ? []
        : [[name, /^(?:uid|withdrawal|order|id)$/.test(name) && /^\d+$/.test(text) ? Number(text) : text]];
    }),
  );
}

/** A call as the action that it is; `null`: it has none of its own, or not for such members. */
function writtenBy(call: string, members: Members): ScenarioStep | null {
  for (const [verb, { choices }] of Object.entries(actions as Readonly<Record<string, Action>>))
    for (const [name, choice] of Object.entries(choices ?? {}))
      if (choice.call === call && choice.schema.safeParse(members).success) return { [verb]: { [name]: members } };
  const { pair, status, state } = members;
  if (call === 'putTrading') return state === 'open' ? { resume: {} } : { halt: {} };
  if (call === 'changePair' && Object.keys(members).length === 2 && (status === 'paused' || status === 'online'))
    return status === 'online' ? { resume: { pair } } : { halt: { pair } };
  return null;
}
