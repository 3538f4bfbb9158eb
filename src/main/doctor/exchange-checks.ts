import { timeOfIso, wallClock } from '#base/clock.ts';
import { z } from 'zod';
import { fault, type Finding, ok, warning } from '#main/doctor/finding.ts';
import { CommandFailed, exitCodes } from '#operator-commands/exit-codes.ts';
import { type Answer, ask, askPage, type ExchangeAddress, problemOf } from '#operator-commands/operator-client.ts';

const shapes = {
  version: z.object({ name: z.literal('bourse'), version: z.string() }),
  notReady: z.object({ why: z.string() }),
  token: z.object({ actor: z.string(), scopes: z.array(z.string()), expiresAt: z.number().nullable() }),
  safety: z.object({
    profile: z.string().nullable(),
    openProposals: z.array(z.number()),
    networks: z.array(z.object({ network: z.string(), isHeld: z.boolean(), reason: z.string().nullable() })),
    unknownPayments: z.array(z.object({ network: z.string(), payment: z.string(), toDo: z.string().nullable() })),
    lostPayments: z.array(z.object({ withdrawal: z.number(), toDo: z.string().nullable() })),
  }),
};

const get = (address: ExchangeAddress, target: string): Promise<Answer> =>
  ask(address, { method: 'GET', target, body: null, idempotencyKey: null, ifMatch: null });

/** Who asks. */
export interface ExchangeCheckOptions {
  /** Version of this program. */
  readonly version: string;
  /** Whether an exchange that does not run is a fault. */
  readonly mustRun: boolean;
}

/**
 * Asks a running exchange how it is: whether it answers, its version and its clock, what the token may do, and what
 * waits for somebody.
 */
export async function checkExchange(
  address: ExchangeAddress,
  { version, mustRun }: ExchangeCheckOptions,
): Promise<readonly Finding[]> {
  const check = 'exchange';
  try {
    const askedAt = wallClock.now();
    const answer = await get(address, '/version');
    const running = shapes.version.safeParse(read(answer)).data;
    if (running === undefined) return [fault(check, `${address.url} is no exchange`, 'look at the address')];
    const clock = checkClock(answer, askedAt);
    return [
      running.version === version
        ? ok(check, `bourse ${running.version} at ${address.name}`)
        : warning(
            check,
            `bourse ${running.version} at ${address.name}, and this is ${version}`,
            'use the same version',
          ),
      await checkReady(address),
      ...(clock === null ? [] : [clock]),
      ...(await checkToken(address)),
    ];
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    if (!mustRun && error.exit === exitCodes.notReached) return [ok(check, `none runs at ${address.name}`)];
    return [fault(check, error.message, 'start it, or look at the address')];
  }
}

function read({ text }: Answer): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

async function checkReady(address: ExchangeAddress): Promise<Finding> {
  const answer = await askPage(address, '/readyz');
  if (answer.status === 200) return ok('ready', 'it takes commands');
  const why = shapes.notReady.safeParse(read(answer)).data?.why;
  if (why !== undefined) return warning('ready', `it does not take commands: ${why}`, 'bourse cluster status');
  return warning('ready', 'it does not take commands', 'wait for the end of its recovery, or look at its log');
}

/** The header has whole seconds. */
const driftMaxMs = 2000;

/** Whether the exchange's machine and this one have the same time; `null`: it does not tell. */
function checkClock({ response }: Answer, askedAt: number): Finding | null {
  const there = timeOfIso(response.headers.get('date') ?? '');
  if (there === null) return null;
  const now = wallClock.now();
  const apart = there > now ? there - now : Math.max(0, askedAt - there - 1000);
  if (apart <= driftMaxMs) return ok('its clock', 'is that of this machine, to two seconds');
  const told = `is ${(apart / 1000).toFixed(1)} s ${there > now ? 'ahead of' : 'behind'} this machine's`;
  return warning('its clock', told, 'let a time service keep both: signed requests are refused by their time');
}

/** What is missing in the last days of a token. */
const endsSoonMs = 7 * 86_400_000;

async function checkToken(address: ExchangeAddress): Promise<readonly Finding[]> {
  const answer = await get(address, '/v1/token');
  const problem = problemOf(answer.text);
  if (problem !== null) return [fault('token', problem.detail, 'ask who may make tokens for another one')];
  const token = shapes.token.safeParse(read(answer)).data;
  if (token === undefined) return [fault('token', 'the exchange does not tell of it', 'use the same version')];
  const told = `acts as ${token.actor}, with ${token.scopes.join(', ')}`;
  const isEnding = token.expiresAt !== null && token.expiresAt - wallClock.now() < endsSoonMs;
  const finding = isEnding
    ? warning('token', `${told}; ends within a week`, 'ask for another one in time')
    : ok('token', told);
  if (!token.scopes.includes('withdrawals:read'))
    return [finding, ok('safety', 'not asked: that needs withdrawals:read')];
  return [finding, ...(await checkSafety(address))];
}

async function checkSafety(address: ExchangeAddress): Promise<readonly Finding[]> {
  const safety = shapes.safety.safeParse(read(await get(address, '/v1/safety'))).data;
  if (safety === undefined) return [fault('safety', 'the exchange does not tell of it', 'use the same version')];
  const { networks, unknownPayments, lostPayments, openProposals, profile } = safety;
  const findings = [
    ...networks
      .filter(({ isHeld }) => isHeld)
      .map(({ network, reason }) =>
        fault('safety', `withdrawals of ${network} are held: ${reason}`, 'bourse op safety'),
      ),
    ...unknownPayments
      .filter(({ toDo }) => toDo !== null)
      .map(({ network, payment, toDo }) => fault('safety', `payment ${payment} of ${network} is not known`, toDo!)),
    ...lostPayments
      .filter(({ toDo }) => toDo !== null)
      .map(({ withdrawal, toDo }) => fault('safety', `withdrawal ${withdrawal} is lost`, toDo!)),
    ...openProposals.map((proposal) =>
      warning('proposals', `proposal ${proposal} waits for a second operator`, `bourse op proposals show ${proposal}`),
    ),
  ];
  return findings.length > 0 ? findings : [ok('safety', `${profile}: nothing is held, and nothing waits`)];
}
