import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { as } from '#model/units.ts';
import { type CopiedMoment, writeCopied } from '#main/states/copy-exchange.ts';
import { bytesIn, syncAll } from '#main/states/content-files.ts';
import { firstState, type KeptState, stateLimits, StateRefused } from '#sandbox/kept-states.ts';

/*
 * States stand in the folder `states` of the data directory, one folder each: `state.json` says what it is, `content`
 * is the content of the exchange then. A folder whose name begins with a dot is not whole.
 */

const format = 1;
const stateFile = 'state.json';
const content = 'content';
const count = z.int().nonnegative();
const described = z.object({
  format: z.number(),
  madeBy: z.string(),
  keptAt: count,
  exchangeTime: count,
  lastEntry: count,
  bytes: count,
});
type Described = z.infer<typeof described>;

/** What makes a state out of an exchange. */
export interface NewState {
  readonly name: string;
  /** The machine's time. */
  readonly keptAt: number;
  /** Puts the content into an empty folder. */
  copy(folder: string): Promise<CopiedMoment>;
}

/** The states of a data directory. */
export class StateFiles {
  readonly #folder: string;
  readonly #version: string;
  readonly #isTemporary: boolean;

  /** `version`: of this build, which reads no states of others. `isTemporary`: nobody needs them after the process. */
  constructor(root: string, version: string, { isTemporary = false } = {}) {
    this.#isTemporary = isTemporary;
    this.#folder = join(root, 'states');
    this.#version = version;
  }

  /** All that are whole, by name. */
  async list(): Promise<readonly KeptState[]> {
    const states: KeptState[] = [];
    for (const name of await this.#names()) {
      const { keptAt, exchangeTime, lastEntry, bytes } = await this.#read(name);
      states.push({ name, keptAt, bytes, exchangeTime: as(exchangeTime), lastEntry: as(lastEntry) });
    }
    return states;
  }

  /** Whether there is one of this name. */
  async has(name: string): Promise<boolean> {
    return (await this.#names()).includes(name);
  }

  /**
   * The folder with the content of a state.
   * @throws StateRefused where there is none of the name, or another version made it
   */
  async contentOf(name: string): Promise<string> {
    await this.#require(name);
    const { format: itsFormat, madeBy } = await this.#read(name);
    if (itsFormat !== format || madeBy !== this.#version)
      throw new StateRefused(
        'stateOfOtherVersion',
        `The state ${name} was saved by Bourse ${madeBy}; this is ${this.#version}.`,
      );
    return join(this.#folder, name, content);
  }

  /** Adds a state, whole or not at all. @throws StateRefused where there is no room for it */
  async add({ name, keptAt, copy }: NewState): Promise<KeptState> {
    const states = await this.list();
    if (states.some((each) => each.name === name))
      throw new StateRefused('stateExists', `There is a state ${name} already.`);
    if (states.filter((each) => each.name !== firstState).length >= stateLimits.states && name !== firstState)
      throw new StateRefused('tooManyStates', `There are ${stateLimits.states} states already: remove one.`);
    const partial = join(this.#folder, `.${name}`);
    await rm(partial, { recursive: true, force: true });
    await mkdir(join(partial, content), { recursive: true, mode: 0o700 });
    try {
      const { exchangeTime, lastEntry } = await copy(join(partial, content));
      const bytes = await bytesIn(partial);
      if (states.reduce((sum, each) => sum + each.bytes, bytes) > stateLimits.bytes)
        throw new StateRefused('statesTooLarge', `All states would take more than ${stateLimits.bytes} bytes.`);
      const what: Described = { format, madeBy: this.#version, keptAt, exchangeTime, lastEntry, bytes };
      await writeCopied(partial, stateFile, what);
      if (!this.#isTemporary) await syncAll(partial);
      await rename(partial, join(this.#folder, name));
      return { name, keptAt, exchangeTime, lastEntry, bytes };
    } catch (error) {
      await rm(partial, { recursive: true, force: true });
      throw error;
    }
  }

  /** @throws StateRefused where there is none of the name */
  async remove(name: string): Promise<void> {
    await this.#require(name);
    const partial = join(this.#folder, `.${name}`);
    await rm(partial, { recursive: true, force: true });
    await rename(join(this.#folder, name), partial);
    await rm(partial, { recursive: true, force: true });
  }

  async #require(name: string): Promise<void> {
    if (!(await this.has(name)))
      throw new StateRefused('unknownState', 'There is no state of this name; GET /v1/states lists them.');
  }

  async #names(): Promise<readonly string[]> {
    try {
      return (await readdir(this.#folder)).filter((name) => !name.startsWith('.')).sort();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  async #read(name: string): Promise<Described> {
    const text = await readFile(join(this.#folder, name, stateFile), 'utf8');
    return described.parse(JSON.parse(text));
  }
}
