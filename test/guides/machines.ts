import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PageStep, runSteps, stepsOf } from './page-shell.ts';
import { project } from './run-process.ts';
import { UnitProcess } from './unit-process.ts';

/** Names of the machines; the address of each ends with its number. */
export const names = ['one', 'two', 'three', 'four'] as const;
export type MachineName = (typeof names)[number];

/** Programs that the commands need. */
export interface Programs {
  readonly etcd: string;
  readonly etcdctl: string;
}

/** Ports of the page; those of the test are 20,000 above, below what the system lends. */
const ports = /\b(2379|2380|8080|8081|9000)\b/g;
/** No block takes longer. */
const blockMs = 120_000;
/** Segments of 64 MiB are filled with zeros before anything is written to them, which takes long on a busy machine. */
const smallJournal = { BOURSE_JOURNAL_SEGMENT_MIB: '1' };
const addressOf = (name: MachineName): string => `127.61.0.${names.indexOf(name) + 1}`;

/**
 * The machines of docs/operations/cluster-runbooks.md, as folders and loopback addresses of this one. Commands of the
 * page run in a shell whose paths, addresses and ports are those of the machine. `systemctl` starts what the units of
 * `deploy` say, `scp` copies between folders; who owns a file is not looked at.
 */
export class Machines {
  private readonly root = mkdtempSync(join(tmpdir(), 'bourse-runbooks-'));
  private readonly programs: Programs;
  private readonly steps: readonly PageStep[];
  private readonly ran = new Set<PageStep>();
  private readonly units = new Map<string, UnitProcess>();
  private readonly control: Server;

  constructor(page: string, programs: Programs) {
    this.programs = programs;
    this.steps = stepsOf(page);
    this.control = createServer((request, response) => {
      const [, name, ...words] = decodeURIComponent(request.url!).split('/');
      this.systemctl(name as MachineName, words).then(
        (answer) => response.end(answer),
        (error: Error) => response.writeHead(500).end(`${error.message}\n`),
      );
    }).listen(0, '127.0.0.1');
    for (const name of names) this.prepare(name);
  }

  /** Where a path of a machine lies. */
  at(name: MachineName, path: string): string {
    return join(this.root, name, path);
  }

  /** Makes the folders of a machine that only begins. */
  newDisks(name: MachineName): void {
    for (const folder of ['etc/systemd/system', 'var/lib', 'opt/bourse', 'bin'])
      mkdirSync(this.at(name, folder), { recursive: true });
  }

  private prepare(name: MachineName): void {
    this.newDisks(name);
    const checkout = this.at(name, 'opt/bourse');
    for (const folder of ['dist', 'node_modules', 'package.json'])
      symlinkSync(join(project, folder), join(checkout, folder));
    cpSync(join(project, 'deploy'), join(checkout, 'deploy'), { recursive: true });
    for (const folder of ['etcd', 'systemd'])
      for (const file of readdirSync(join(checkout, 'deploy', folder))) {
        const path = join(checkout, 'deploy', folder, file);
        if (!file.endsWith('.service')) writeFileSync(path, this.here(name)(readFileSync(path, 'utf8')));
      }
    symlinkSync(this.programs.etcdctl, this.at(name, 'bin/etcdctl'));
    this.program(name, 'bourse', `exec ${process.execPath} ${join(project, 'dist', 'main', 'bourse.js')} "$@"`);
    this.program(name, 'chown', 'exit 0');
    // HOST:PATH is the same path on another machine.
    const others = names.map((each) => `-e 's#^${addressOf(each)}:${join(this.root, name)}#${join(this.root, each)}#'`);
    this.program(
      name,
      'scp',
      `[ "$1" = -r ] && shift; to=$(echo "$2" | sed ${others.join(' ')}); exec cp -r "$1" "$to"`,
    );
    this.program(name, 'systemctl', `exec curl -sS --fail-with-body "$CONTROL/${name}/$(echo "$*" | tr ' ' /)"`);
  }

  private program(name: MachineName, command: string, script: string): void {
    const path = this.at(name, `bin/${command}`);
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
  }

  /** Puts what is here in place of paths, addresses and ports of the page. */
  private here(name: MachineName): (text: string) => string {
    const root = join(this.root, name);
    return (text) =>
      text
        .replaceAll(/(?<![\w.])\/(etc\/bourse|etc\/systemd|var\/lib|opt\/bourse)(?![\w])/g, `${root}/$1`)
        .replaceAll('/usr/bin/node', process.execPath)
        .replaceAll('/usr/bin/etcd', this.programs.etcd)
        .replaceAll(/\b10(\\?\.)0\\?\.0\\?\.(\d)\b/g, '127$161$10$1$2')
        .replaceAll('127.0.0.1', addressOf(name))
        .replaceAll(ports, (port) => String(Number(port) + 20_000));
  }

  private unit(name: MachineName, service: string): UnitProcess {
    const key = `${name}/${service}`;
    const kept = this.units.get(key);
    if (kept !== undefined) return kept;
    const made = new UnitProcess({
      unit: this.at(name, `etc/systemd/system/${service}.service`),
      log: this.at(name, `${service}.log`),
      here: this.here(name),
      env: smallJournal,
    });
    this.units.set(key, made);
    return made;
  }

  private async systemctl(name: MachineName, words: readonly string[]): Promise<string> {
    const [verb, ...rest] = words.filter((word) => !word.startsWith('--'));
    if (verb === 'daemon-reload') return '';
    for (const service of rest) {
      const unit = this.unit(name, service);
      if (verb === 'stop' || verb === 'restart') await unit.stop();
      if (verb === 'start' || verb === 'restart' || (verb === 'enable' && words.includes('--now'))) unit.start();
      else if (verb !== 'stop' && verb !== 'disable') throw new Error(`systemctl ${verb} is not known here`);
    }
    return '';
  }

  /** The process of a service of a machine. */
  service(name: MachineName, service: 'bourse-etcd' | 'bourse-node'): UnitProcess {
    return this.unit(name, service);
  }

  /**
   * Runs the commands below a heading on a machine; where it has several blocks, one of them. Answers what they print.
   * @throws Error with all that they printed where one fails or the page shows something else
   */
  async run(heading: string, name: MachineName, block = 0): Promise<string> {
    const step = this.steps.filter((each) => each.heading === heading)[block];
    if (step === undefined) throw new Error(`there is no block ${block} below "${heading}"`);
    this.ran.add(step);
    return this.play(step, name);
  }

  /** Runs commands that are not those of the page, such as what breaks something. Answers what they print. */
  shell(name: MachineName, commands: string): Promise<string> {
    return this.play({ heading: commands, commands, shown: [] }, name);
  }

  private async play(step: PageStep, name: MachineName): Promise<string> {
    if (!this.control.listening) await once(this.control, 'listening');
    const { port } = this.control.address() as AddressInfo;
    const environment = {
      ...{ PATH: `${this.at(name, 'bin')}:${process.env['PATH']}`, CONTROL: `http://127.0.0.1:${port}` },
      ...{ NAME: name, ADDRESS: addressOf(name), HOME: this.at(name, ''), ETCDCTL_API: '3' },
      ...smallJournal,
    };
    const checkout = this.at(name, 'opt/bourse');
    const { code, missing, output } = await runSteps([step], checkout, environment, this.here(name), blockMs);
    if (code === 0 && missing.length === 0) return output;
    throw new Error(`${step.heading}, on ${name}: ${code}\n${missing.join('\n')}\n${output}\n${this.lastWords()}`);
  }

  /** Headings of blocks that were not run. */
  get notRun(): readonly string[] {
    return this.steps.filter((step) => !this.ran.has(step)).map(({ heading }) => heading);
  }

  /** What each service wrote last. */
  private lastWords(): string {
    const wordsOf = (key: string): string => {
      const [name, service] = key.split('/') as [MachineName, string];
      return `${key}: ${readFileSync(this.at(name, `${service}.log`), 'utf8').slice(-600)}`;
    };
    return [...this.units.keys()].map(wordsOf).join('\n');
  }

  /** Address and port on a machine. */
  url(name: MachineName, port: 8080 | 8081): string {
    return `http://${addressOf(name)}:${port + 20_000}`;
  }

  /** Ends everything and removes it. */
  async close(): Promise<void> {
    await Promise.all([...this.units.values()].map((unit) => unit.kill()));
    this.control.close();
    await once(this.control, 'close');
    rmSync(this.root, { recursive: true, force: true });
  }
}
