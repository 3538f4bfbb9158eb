import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, cpSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A service whose process runs, in the way of systemd, as far as our units ask for it. */
export interface UnitStart {
  /** File of the unit. */
  readonly unit: string;
  /** File that takes both outputs of all its processes. */
  readonly log: string;
  /** Puts paths and addresses of the test in place of those that unit and files name. */
  readonly here: (text: string) => string;
  /** Variables besides those that the unit has. */
  readonly env: NodeJS.ProcessEnv;
}

/** A service is started again so long after its process ended; systemd is told to wait a second. */
const restartMs = 300;
const stopMs = 30_000;

/** Runs the process of a unit: its environment, credentials, and what it does when that ends. */
export class UnitProcess {
  /** How its processes ended that were not stopped: exit codes and signals. */
  readonly ends: (number | string)[] = [];
  private readonly options: UnitStart;
  private child: ChildProcess | null = null;
  private restart: NodeJS.Timeout | null = null;
  private isWanted = false;

  constructor(options: UnitStart) {
    this.options = options;
  }

  /** Starts it, unless it runs. @throws Error where its unit is not there */
  start(): void {
    this.isWanted = true;
    if (this.child !== null || this.restart !== null) return;
    const { unit, log, here, env } = this.options;
    const service = directivesOf(here(readFileSync(unit, 'utf8')));
    const credentials = new Map(service('LoadCredential').map((value) => value.split(':') as [string, string]));
    // Copies, as systemd makes them: what is changed later is seen after the next start.
    const given = `${log}.credentials`;
    mkdirSync(given, { recursive: true });
    for (const [name, file] of credentials) cpSync(file, join(given, name));
    const line = service('ExecStart')[0]!.replaceAll('%d', given);
    const [program, ...args] = line.split(' ');
    const settings = service('EnvironmentFile').flatMap((file) => settingsIn(here(readFileSync(file, 'utf8'))));
    const output = openSync(log, 'a');
    const child = spawn(program!, args, {
      cwd: service('WorkingDirectory')[0] ?? '/',
      env: { PATH: process.env['PATH'], ...env, ...Object.fromEntries(settings) },
      stdio: ['ignore', output, output],
      detached: true,
    });
    closeSync(output);
    this.child = child;
    const lasting = (service('RestartPreventExitStatus')[0] ?? '').split(' ');
    child.on('exit', (code, signal) => {
      this.child = null;
      if (!this.isWanted) return;
      this.ends.push(code ?? signal ?? 'unknown');
      if (service('Restart')[0] !== 'always' || lasting.includes(String(code))) return;
      this.restart = setTimeout(() => {
        this.restart = null;
        this.start();
      }, restartMs);
    });
  }

  get isRunning(): boolean {
    return this.child !== null;
  }

  /** As a power cut does, for good. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Asks it to end and waits. */
  async stop(): Promise<void> {
    await this.end('SIGTERM');
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    this.isWanted = false;
    if (this.restart !== null) clearTimeout(this.restart);
    this.restart = null;
    const { child } = this;
    if (child === null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    const late = setTimeout(() => child.kill('SIGKILL'), stopMs);
    await exit;
    clearTimeout(late);
  }
}

/** Values of a directive of a unit. */
function directivesOf(text: string): (name: string) => readonly string[] {
  const lines = text.split('\n').map((line) => /^(\w+)=(.*)$/.exec(line));
  return (name) => lines.flatMap((line) => (line?.[1] === name ? [line[2]!] : []));
}

const settingsIn = (text: string): readonly (readonly [string, string])[] =>
  text.split('\n').flatMap((line) => {
    const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value!] as const];
  });
