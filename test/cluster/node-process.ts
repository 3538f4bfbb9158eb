import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';

/** How to start a node. */
export interface NodeStart {
  readonly name: string;
  /** Address of its API, where it listens. */
  readonly url: string;
  readonly operatorUrl: string;
  /** Program and arguments, after Node. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** File that takes both outputs of all its processes. */
  readonly log: string;
}

/** A node is started again so long after its process ended, as systemd would. */
const restartMs = 300;
/** How long a process may take to end when it is asked to. */
const stopMs = 20_000;

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/** A node of a cluster under a supervisor: whenever its process ends it is started again, until it is stopped. */
export class NodeProcess {
  readonly name: string;
  readonly url: string;
  readonly operatorUrl: string;
  readonly log: string;
  /** How its processes ended that were not stopped: exit codes and signals. */
  readonly ends: (number | string)[] = [];
  private readonly how: NodeStart;
  private child: ChildProcess | null = null;
  private restart: NodeJS.Timeout | null = null;
  private isWanted = false;

  constructor(how: NodeStart) {
    this.how = how;
    this.name = how.name;
    this.url = how.url;
    this.operatorUrl = how.operatorUrl;
    this.log = how.log;
  }

  /** Starts it, unless it runs. */
  start(): void {
    this.isWanted = true;
    if (this.child !== null || this.restart !== null) return;
    const output = openSync(this.how.log, 'a');
    const stdio = ['ignore', output, output] as const;
    // In a group of its own: Ctrl-C at a terminal asks only who started it.
    const child = spawn(process.execPath, this.how.args, { env: this.how.env, stdio: [...stdio], detached: true });
    closeSync(output);
    this.child = child;
    child.on('exit', (code, signal) => {
      this.child = null;
      if (!this.isWanted) return;
      this.ends.push(code ?? signal ?? 'unknown');
      this.restart = setTimeout(() => {
        this.restart = null;
        if (this.isWanted) this.start();
      }, restartMs);
    });
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** As a power cut: the supervisor starts it again. */
  kill(): void {
    this.child?.kill('SIGKILL');
  }

  /** Stops it without ending it: its connections stay open. */
  freeze(): void {
    this.child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.child?.kill('SIGCONT');
  }

  /** Asks it to end and waits. Answers its exit code or signal; `null`: it did not run. */
  async stop(): Promise<number | string | null> {
    this.isWanted = false;
    if (this.restart !== null) clearTimeout(this.restart);
    this.restart = null;
    const { child } = this;
    if (child === null || hasEnded(child)) return null;
    const exit = once(child, 'exit') as Promise<[number | null, string | null]>;
    child.kill('SIGCONT');
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), stopMs);
    const [code, signal] = await exit;
    clearTimeout(late);
    return code ?? signal;
  }

  /** Ends it at once, for good. */
  end(): void {
    this.isWanted = false;
    this.child?.kill('SIGKILL');
  }
}
