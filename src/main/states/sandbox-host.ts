import { existsSync } from 'node:fs';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { wallClock } from '#base/clock.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import { type ExchangeOptions, openExchange, type RunningExchange } from '#main/composition/open-exchange.ts';
import { copyContent, decideContent, finishReplacement, prepareContent } from '#main/states/content-files.ts';
import { closedMoment } from '#main/states/closed-moment.ts';
import { noteRaise, rememberGiven } from '#main/states/raise-numbers.ts';
import { StateFiles } from '#main/states/state-files.ts';
import { claimDataDirectory, type DataDirectory, layoutOf, type StartDirectory } from '#main/storage/data-directory.ts';
import {
  firstState,
  type Fork,
  type KeptState,
  type Restored,
  type RestoreOptions,
  type StateControls,
  stateLimits,
  StateRefused,
} from '#sandbox/kept-states.ts';

/** A fork, and what ends it. */
interface RunningFork extends Fork {
  readonly host: SandboxHost;
  readonly claim: StartDirectory;
  readonly root: string;
}

/** Files beside the content that a fork needs: what a sandbox is made from, and what opens its secrets. */
const filesOfFork = ['seed', 'now', 'master.key'] as const;

/**
 * Opens a sandbox whose states can be saved and restored; any other exchange as it is.
 * @throws what `openExchange` throws
 */
export async function openHosted(options: ExchangeOptions): Promise<RunningExchange | null> {
  const { config, directory } = options;
  await finishReplacement(directory.root);
  if (config.profile !== 'sandbox' || config.cluster !== null) return openExchange(options);
  return new SandboxHost(options, { isFork: false }).open();
}

/** An exchange with its states and forks: it is closed and opened again when a state is restored. DEC-KIT-10. */
class SandboxHost implements StateControls {
  readonly #options: ExchangeOptions;
  readonly #isFork: boolean;
  readonly #isTemporary: boolean;
  readonly #directory: DataDirectory;
  readonly #files: StateFiles;
  readonly #forks = new Map<string, RunningFork>();
  /** Ports of the first opening, for all later ones. */
  #config: Configuration;
  #current: RunningExchange | null = null;
  #stopCurrent = (): void => {};
  #lastFork = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: ExchangeOptions, { isFork }: { readonly isFork: boolean }) {
    this.#options = options;
    this.#isFork = isFork;
    this.#config = options.config;
    this.#directory = options.directory;
    this.#isTemporary = options.isTemporary ?? false;
    this.#files = new StateFiles(options.directory.root, options.version, { isTemporary: this.#isTemporary });
  }

  async open(): Promise<RunningExchange | null> {
    await rm(join(this.#directory.root, 'forks'), { recursive: true, force: true });
    void this.#options.stopped.then(() => this.#stopCurrent());
    const opened = await this.#open();
    if (opened === null) return null;
    this.#config = withPorts(this.#config, opened.addresses);
    return { ...opened, close: () => this.#inTurn(() => this.#close()) };
  }

  list(): Promise<readonly KeptState[]> {
    return this.#files.list();
  }

  save(name: string): Promise<KeptState> {
    return this.#inTurn(() => {
      if (name === firstState) throw new StateRefused('stateReserved', `The name ${name} is that of the first state.`);
      return this.#files.add({ name, keptAt: wallClock.now(), copy: (folder) => this.#running().copyTo(folder) });
    });
  }

  restore(name: string, options: RestoreOptions): Promise<Restored> {
    return this.#inTurn(async () => {
      const content = await this.#files.contentOf(name);
      return this.#replace((folder) => copyContent(content, folder), options);
    });
  }

  reset(options: RestoreOptions): Promise<Restored> {
    return this.#inTurn(async () => {
      const content = (await this.#files.has(firstState)) ? await this.#files.contentOf(firstState) : null;
      return this.#replace(async (folder) => {
        if (content !== null) await copyContent(content, folder);
      }, options);
    });
  }

  remove(name: string): Promise<void> {
    return this.#inTurn(() => {
      if (name === firstState) throw new StateRefused('stateReserved', `The state ${name} is kept for resets.`);
      return this.#files.remove(name);
    });
  }

  fork(name: string): Promise<Fork> {
    return this.#inTurn(async () => {
      if (this.#isFork) throw new StateRefused('forkOfFork', 'A fork has no forks.');
      if (this.#forks.size >= stateLimits.forks)
        throw new StateRefused('tooManyForks', `${stateLimits.forks} forks run already: end one.`);
      const content = await this.#files.contentOf(name);
      this.#lastFork += 1;
      const fork = await this.#begin(`fork-${this.#lastFork}`, name, content);
      this.#forks.set(fork.id, fork);
      return shownFork(fork);
    });
  }

  forks(): readonly Fork[] {
    return [...this.#forks.values()].map(shownFork);
  }

  endFork(id: string): Promise<void> {
    return this.#inTurn(async () => {
      const fork = this.#forks.get(id);
      if (fork === undefined) throw new StateRefused('unknownFork', `There is no fork ${id}.`);
      await this.#end(fork);
    });
  }

  /** Calls wait for each other: each finds an exchange that is open. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  #running(): RunningExchange {
    if (this.#current === null) throw new Error('the exchange is not open');
    return this.#current;
  }

  async #open(): Promise<RunningExchange | null> {
    // A promise of its own for each opening: the one of the process would hold on to all that were opened.
    const stopped = new Promise<void>((resolve) => {
      this.#stopCurrent = resolve;
    });
    this.#current = await openExchange({
      ...this.#options,
      config: this.#config,
      stopped,
      states: this,
      onHistoryMade: () => this.#keepFirst(),
    });
    return this.#current;
  }

  /** Keeps what a sandbox with a history is at its first start: making it takes long. */
  async #keepFirst(): Promise<void> {
    if (this.#isFork || (await this.#files.has(firstState))) return;
    const { root } = this.#directory;
    const copy = async (folder: string) => {
      await copyContent(root, folder);
      return closedMoment(this.#directory);
    };
    try {
      await this.#files.add({ name: firstState, keptAt: wallClock.now(), copy });
    } catch (error) {
      // A start goes on without: a reset then makes the history anew.
      this.#options.log.error({ err: error }, `the state ${firstState} could not be kept`);
    }
  }

  /** Once the new content is whole on the disk, closes the exchange and opens it again from that. */
  async #replace(prepare: (folder: string) => Promise<void>, { sameIds }: RestoreOptions): Promise<Restored> {
    const { root, secretsMade } = this.#directory;
    const folder = await prepareContent(root, prepare);
    const before = this.#running();
    try {
      await before.close({ isReplaced: true });
      const given = await rememberGiven(root, before.numbers());
      if (!sameIds) {
        // Keys that were made from the seed are not made again.
        if (existsSync(secretsMade)) await copyFile(secretsMade, join(folder, 'secrets-made.json'));
        await noteRaise(folder, given);
      }
      await decideContent(root, { isTemporary: this.#isTemporary });
      const opened = await this.#open();
      if (opened === null) throw new Error('the process is stopping');
      return opened.moment();
    } catch (error) {
      this.#current = null;
      this.#options.onFailed(error as Error);
      throw error;
    }
  }

  async #begin(id: string, state: string, content: string): Promise<RunningFork> {
    const { root: own } = this.#directory;
    const root = join(own, 'forks', id);
    await mkdir(root, { recursive: true, mode: 0o700 });
    const directory = layoutOf(root);
    const claim = claimDataDirectory(directory);
    try {
      await copyContent(content, root);
      for (const name of filesOfFork)
        if (existsSync(join(own, name))) await copyFile(join(own, name), join(root, name));
      const config = forkedConfig(this.#config, root);
      const onFailed = (error: Error): void => {
        this.#options.log.error({ err: error }, `${id} failed`);
        void this.endFork(id).catch(() => undefined);
      };
      const host = new SandboxHost({ ...this.#options, config, directory, onFailed }, { isFork: true });
      const opened = await host.open();
      if (opened === null) throw new Error('the process is stopping');
      return { id, state, addresses: opened.addresses, host, claim, root };
    } catch (error) {
      claim.release();
      await rm(root, { recursive: true, force: true });
      throw error;
    }
  }

  async #end({ id, host, claim, root }: RunningFork): Promise<void> {
    this.#forks.delete(id);
    try {
      await host.#close();
    } finally {
      claim.release();
      await rm(root, { recursive: true, force: true });
    }
  }

  async #close(): Promise<void> {
    for (const fork of [...this.#forks.values()]) await this.#end(fork);
    const current = this.#current;
    this.#current = null;
    await current?.close();
  }
}

const shownFork = ({ id, state, addresses }: Fork): Fork => ({ id, state, addresses });

const portOf = (url: string): number => Number(new URL(url).port);

/** The same settings with the ports that the exchange got. */
export function withPorts(config: Configuration, addresses: Fork['addresses']): Configuration {
  const futures = config.futuresPort === null ? null : portOf(addresses.futuresBaseUrl);
  return {
    ...config,
    port: portOf(addresses.baseUrl),
    futuresPort: futures,
    operatorPort: portOf(addresses.operatorUrl),
  };
}

/** Settings of a fork: free ports of this machine alone, and a directory of its own. */
const forkedConfig = (config: Configuration, data: string): Configuration => ({
  ...config,
  data,
  port: 0,
  futuresPort: config.futuresPort === null || config.futuresPort === config.port ? null : 0,
  operatorPort: 0,
});
