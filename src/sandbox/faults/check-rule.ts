import type { AccountId } from '#model/units.ts';
import { type FaultRule, isOfRequests } from '#sandbox/faults/fault-rule.ts';
import { namePattern } from '#sandbox/faults/name-pattern.ts';

/** An endpoint that rules may be about. */
export interface FaultEndpoint {
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  /** Whether it takes a key. */
  readonly isSigned: boolean;
  /** Whether it names pairs or contracts. */
  readonly namesPairs: boolean;
}

/** What rules may be about. */
export interface FaultTargets {
  readonly endpoints: readonly FaultEndpoint[];
  /** Names of channels, with parameters in braces. */
  readonly channels: readonly string[];
  isPair(name: string): Promise<boolean>;
  isKey(accessKey: string): Promise<boolean>;
  /** The account of a uid; `null`: there is none. */
  accountOf(uid: number): Promise<AccountId | null>;
}

/** Refuses a rule by the member at fault. */
export class FaultRefused extends Error {
  override name = 'FaultRefused';
  /** A JSON pointer into the rule. */
  readonly pointer: string;
  /** A clause that begins with `must` or `is`. */
  readonly reason: string;

  constructor(pointer: string, reason: string) {
    super(`${pointer} ${reason}`);
    this.pointer = pointer;
    this.reason = reason;
  }
}

/** Members of a match of which one alone says when a rule strikes. */
const choices = ['nth', 'every', 'probabilityPpm'] as const;

function checkChoices({ match, count }: FaultRule): void {
  const [first, second] = choices.filter((name) => match[name] !== undefined);
  if (second !== undefined) throw new FaultRefused(`/match/${second}`, `must not stand beside ${first}`);
  if (match.nth !== undefined && count !== null && count > 1)
    throw new FaultRefused('/count', 'is never reached: nth strikes once');
}

/** What a rule of requests may be about; refused where that is nothing. */
function checkRequests({ match, fault }: FaultRule, endpoints: readonly FaultEndpoint[]): void {
  if (match.channel !== undefined)
    throw new FaultRefused('/match/channel', 'is not of this fault: it is one of requests');
  const { path, method, pair, key, account } = match;
  const pattern = path === undefined ? null : namePattern(path, '/');
  const templateOf = (each: FaultEndpoint): string =>
    pair === undefined ? each.path : each.path.replace('{symbol}', pair);
  let left = endpoints;
  const keep = (pointer: string, reason: string, isKept: (each: FaultEndpoint) => boolean): void => {
    left = left.filter(isKept);
    if (left.length === 0) throw new FaultRefused(pointer, reason);
  };
  if (pattern !== null) keep('/match/path', 'is no path of an endpoint', (each) => pattern.mayMatch(each.path));
  if (method !== undefined) keep('/match/method', 'is no method of such a path', (each) => each.method === method);
  if (fault.kind === 'stale')
    keep('/match/method', 'must be GET: nothing else is read', ({ method: of }) => of === 'GET');
  if (key !== undefined || account !== undefined)
    keep(
      key === undefined ? '/match/account' : '/match/key',
      'is not told by such a request: it is not signed',
      (each) => each.isSigned,
    );
  if (pair !== undefined) {
    keep('/match/pair', 'is not named by such a request', (each) => each.namesPairs);
    if (pattern !== null)
      keep('/match/pair', 'is not the one of this path', (each) => pattern.mayMatch(templateOf(each)));
  }
}

/** What a rule of websockets may be about; refused where that is nothing. */
function checkStreams({ match, fault }: FaultRule, channels: readonly string[]): void {
  for (const name of ['path', 'method'] as const)
    if (match[name] !== undefined)
      throw new FaultRefused(`/match/${name}`, 'is not of this fault: it is one of websockets');
  const { channel, pair } = match;
  if (fault.kind === 'unansweredPing' || fault.kind === 'refuseUpgrade')
    for (const name of ['channel', 'pair'] as const)
      if (match[name] !== undefined) throw new FaultRefused(`/match/${name}`, 'is not of a connection as a whole');
  if (channel === undefined) return;
  const pattern = namePattern(channel, '@');
  if (!channels.some((each) => pattern.mayMatch(each)))
    throw new FaultRefused('/match/channel', 'is no name of a channel');
  if (pair !== undefined && !channels.some((each) => pattern.mayMatch(each.replace('{symbol}', pair))))
    throw new FaultRefused('/match/pair', 'is not the one of this channel');
}

/**
 * Checks that a rule can strike at all, and finds the account that it names. DEC-KIT-26.
 * @throws FaultRefused naming the member that keeps it from ever striking
 */
export async function checkRule(rule: FaultRule, targets: FaultTargets): Promise<AccountId | null> {
  const { match, fault } = rule;
  checkChoices(rule);
  if (isOfRequests(fault)) checkRequests(rule, targets.endpoints);
  else checkStreams(rule, targets.channels);
  if (match.pair !== undefined && !(await targets.isPair(match.pair)))
    throw new FaultRefused('/match/pair', 'must be a listed pair or contract');
  if (match.key !== undefined && !(await targets.isKey(match.key)))
    throw new FaultRefused('/match/key', 'must be the access key of an account');
  if (match.account === undefined) return null;
  const account = await targets.accountOf(match.account);
  if (account === null) throw new FaultRefused('/match/account', 'must be the uid of an account');
  return account;
}
