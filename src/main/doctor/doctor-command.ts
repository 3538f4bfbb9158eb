import type { Command } from 'commander';
import { resolve } from 'node:path';
import { hostInUrl, portsOf } from '#main/composition/ports.ts';
import { ConfigurationRefused, type LoadedConfiguration } from '#main/configuration/config.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import { checkCustody } from '#main/doctor/custody-checks.ts';
import { checkDataDirectory, checkDisk, checkSyncedWrites } from '#main/doctor/disk-checks.ts';
import { checkExchange } from '#main/doctor/exchange-checks.ts';
import { type Finding, ok, shownFindings, toldFault, warning } from '#main/doctor/finding.ts';
import { checkClockRate, checkNode, checkTimeService } from '#main/doctor/machine-checks.ts';
import { checkPorts } from '#main/doctor/port-checks.ts';
import { checkMasterKey, checkOperatorToken } from '#main/doctor/secret-checks.ts';
import { operatorTokenOf } from '#main/secrets/operator-token.ts';
import { exitCodes } from '#operator-commands/exit-codes.ts';
import type { ExchangeAddress } from '#operator-commands/operator-client.ts';
import type { Surroundings } from '#operator-commands/surroundings.ts';
import type { Terminal, Work } from '#operator-commands/terminal.ts';
import { addAddressOptions, type AddressOptions, readDemo, whomToAsk } from '#operator-commands/whom-to-ask.ts';

/** What the doctor is called with. */
export interface DoctorParts {
  readonly surroundings: Surroundings;
  /** Version of this program. */
  readonly version: string;
  readonly later: (work: Work) => void;
}

interface DoctorOptions extends AddressOptions {
  readonly json?: boolean;
}

/** Adds what `bourse doctor` takes besides settings; `load` reads those. */
export function addDoctorOptions(
  command: Command,
  load: (data: string | undefined) => LoadedConfiguration,
  { surroundings, version, later }: DoctorParts,
): void {
  command.option('--json', 'the findings for programs');
  addAddressOptions(command);
  command.action((data: string | undefined, _options: unknown, self: Command) => {
    const options = self.opts<DoctorOptions>();
    later(async (terminal) =>
      report(await checkAll(() => load(data), options, { surroundings, version }), options, terminal),
    );
  });
}

/** Adds `bourse op doctor`, which looks at a running exchange alone. */
export function addExchangeDoctor(op: Command, { surroundings, version, later }: DoctorParts): void {
  const command = op
    .command('doctor')
    .description('check a running exchange: its version, clock, token, and what waits');
  command.option('--json', 'the findings for programs');
  addAddressOptions(command);
  command.action((options: DoctorOptions) => {
    const look = () => checkExchange(whomToAsk(options, surroundings), { version, mustRun: true });
    later(async (terminal) => report(await look(), options, terminal));
  });
}

/** Shows what was found; one fault makes the exit code 1. */
async function report(findings: readonly Finding[], { json }: DoctorOptions, terminal: Terminal): Promise<number> {
  await terminal.write(json === true ? `${JSON.stringify({ findings }, null, 2)}\n` : shownFindings(findings));
  return findings.some(({ state }) => state === 'fault') ? exitCodes.failed : exitCodes.done;
}

type Checking = Pick<DoctorParts, 'surroundings' | 'version'>;

/** Every check, of the machine first. DEC-OPR-269. */
async function checkAll(
  load: () => LoadedConfiguration,
  options: DoctorOptions,
  { surroundings, version }: Checking,
): Promise<readonly Finding[]> {
  const machine = [
    checkNode(process.versions.node),
    await checkClockRate(surroundings.pause),
    await checkTimeService(),
  ];
  let loaded: LoadedConfiguration;
  try {
    loaded = load();
  } catch (error) {
    if (!(error instanceof ConfigurationRefused)) throw error;
    return [...machine, ...error.faults.map((each) => toldFault('configuration', each, 'mend this setting'))];
  }
  const { config, warnings } = loaded;
  const told = warnings.map((found) => warning('configuration', found, 'remove it, or write it right'));
  const root = resolve(config.data);
  const { finding, keys } = checkMasterKey(config);
  return [
    ...machine,
    ...(told.length > 0 ? told : [ok('configuration', `usable, of the profile ${config.profile}`)]),
    checkDataDirectory(root),
    ...checkDisk(root, config.diskReserveMib * 2 ** 20),
    checkSyncedWrites(root),
    finding,
    checkOperatorToken(config),
    ...(await checkPorts(portsOf(config))),
    ...(await checkCustody({ config, keys, readFile: surroundings.readFile })),
    ...(await checkRunning(config, options, { surroundings, version })),
  ];
}

/** The exchange that was named, else the one of these settings if it runs. */
async function checkRunning(
  config: Configuration,
  options: DoctorOptions,
  { surroundings, version }: Checking,
): Promise<readonly Finding[]> {
  const { url, exchange } = options;
  const isNamed = (url ?? exchange ?? surroundings.environment['BOURSE_OPERATOR_URL'] ?? '') !== '';
  if (isNamed) return checkExchange(whomToAsk(options, surroundings), { version, mustRun: true });
  const own = ownExchange(config, surroundings);
  if (own === null) return [ok('exchange', 'not asked: its address and token are not known')];
  return checkExchange(own, { version, mustRun: false });
}

/** Where the exchange of these settings listens; `null`: nobody can tell. */
function ownExchange(config: Configuration, surroundings: Surroundings): ExchangeAddress | null {
  const demo = config.profile === 'sandbox' ? readDemo(config.data, surroundings) : null;
  if (demo !== null) return { ...demo, name: demo.url };
  let token: string | null;
  try {
    token = operatorTokenOf(config);
  } catch {
    // Told by the check of the token.
    return null;
  }
  const url = `http://${hostInUrl(config.operatorHost)}:${config.operatorPort}`;
  return token === null || config.operatorPort === 0 ? null : { url, token, name: url };
}
