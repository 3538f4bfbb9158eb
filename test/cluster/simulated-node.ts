import type { Clock } from '#base/clock.ts';
import type { Prng } from '#base/prng.ts';
import { BehindLog } from '#cluster/standby.ts';
import { TermEnded } from '#cluster/lead.ts';
import { errorCode } from '#journal/file-operations.ts';
import { JournalDamaged, JournalFull, JournalMoved, JournalUnavailable } from '#journal/journal.ts';
import type { Command } from '#model/command.ts';
import type { Epoch } from '#model/units.ts';
import type { PassedHandover } from '#cluster/command-log.ts';
import type { BrokenEntry } from '#sequencer/recovery.ts';
import type { Outcome } from '#sequencer/command-ingress.ts';
import { type FileFault, MemoryDisk } from '../ports/memory-file-operations.ts';
import type { MemoryQuorum, NodeFaults } from '../ports/memory-command-log.ts';
import type { ClusterAuditor } from './cluster-auditor.ts';
import { DistantLog } from './distant-log.ts';
import { SimulatedDisk } from './simulated-disk.ts';
import { type BrokenNotes, directories, JournalLeftBehind, SimulatedLife } from './simulated-life.ts';
import { SimulatedProcess } from './simulated-process.ts';
import type { VirtualTime } from './virtual-time.ts';

const logPatienceMs = 1000;
/** How long a broken process tries to tell the cluster. */
const tellPatienceMs = 2000;

/** What a node needs. */
export interface SimulatedNodeParts {
  readonly name: string;
  readonly quorum: MemoryQuorum;
  readonly time: VirtualTime;
  readonly prng: Prng;
  readonly auditor: ClusterAuditor;
  /** How far its clock is off, in milliseconds. */
  readonly clockOffsetMs: number;
  /** Another node, from whose files it may begin anew. */
  readonly another: (than: SimulatedNode) => SimulatedNode;
}

/** A machine with a disk, on which a supervisor starts the exchange again whenever it ends. */
export class SimulatedNode {
  readonly name: string;
  /** How often each end came, by its name. */
  readonly endings = new Map<string, number>();
  private readonly parts: SimulatedNodeParts;
  private readonly clock: Clock;
  private disk: MemoryDisk;
  private files: SimulatedDisk;
  private process: SimulatedProcess;
  private life: SimulatedLife | null = null;
  private connection: NodeFaults | null = null;
  private disconnect: () => void = () => {};
  private lives = 0;
  private note: ReturnType<BrokenNotes['read']> = null;
  private isReachable = true;
  private diskFault: FileFault | null = null;
  /** The own journal does not meet the log: the next start takes the files of another node. */
  private mustCopy = false;

  constructor(parts: SimulatedNodeParts, files: ReadonlyMap<string, Uint8Array>) {
    this.parts = parts;
    this.name = parts.name;
    this.clock = { now: () => parts.time.now() + parts.clockOffsetMs };
    this.disk = new MemoryDisk(parts.prng);
    for (const [path, content] of files) this.disk.put(path, content);
    this.process = new SimulatedProcess(parts.time, parts.prng);
    this.files = this.newFiles();
  }

  /** Whether its process exists and takes commands as far as clients can know. */
  get isLeading(): boolean {
    return this.life?.isLeading === true;
  }

  get isUp(): boolean {
    return this.process.state === 'running' && this.life !== null;
  }

  /** Last entry of its journal, and last one that it applied. */
  get position(): { readonly journaled: number; readonly applied: number } {
    return { journaled: this.life?.journaled ?? 0, applied: this.life?.applied ?? 0 };
  }

  /** Digest of all events of its engine. */
  get digest(): string {
    return this.life?.eventDigest ?? '';
  }

  /** What its disk holds now, as a copy that nobody writes to. */
  diskNow(): MemoryDisk {
    return this.disk.afterKill(this.parts.prng);
  }

  private newFiles(): SimulatedDisk {
    const { time, prng } = this.parts;
    return new SimulatedDisk({ disk: this.disk, process: this.process, time, prng });
  }

  private count(ending: string): void {
    this.endings.set(ending, (this.endings.get(ending) ?? 0) + 1);
  }

  start(): void {
    const { time, prng, quorum, auditor, name } = this.parts;
    if (this.mustCopy) this.copyJournal();
    const process = new SimulatedProcess(time, prng);
    this.process = process;
    this.files = this.newFiles();
    this.applyDiskFault();
    const { log, faults } = quorum.connect();
    this.connection = faults;
    this.disconnect = () => void log.close();
    if (!this.isReachable) faults.setReachable(false);
    this.lives += 1;
    const life = `${name}.${this.lives}`;
    const onEnded = (error: Error): void => this.ended(process, error);
    const onAppend = (batch: Parameters<ClusterAuditor['sends']>[1]): void => auditor.sends(life, batch);
    const onCampaign = ({ shortened }: PassedHandover): void => auditor.shortens(shortened);
    this.life = new SimulatedLife({
      ...{ node: name, life, process, files: this.files, clock: this.clock, auditor, onEnded },
      log: new DistantLog({ log, process, patienceMs: logPatienceMs, onAppend, onCampaign }),
      onBroken: (broken, term) => this.broke(process, broken, term),
      notes: { read: () => this.note, remove: () => void (this.note = null) },
    });
    this.life.begin().catch(onEnded);
  }

  /** Takes the journal of another node, which it does not trust either: the start compares it with the log. */
  private copyJournal(): void {
    this.mustCopy = false;
    const { prng, another } = this.parts;
    const from = another(this).diskNow();
    this.disk = new MemoryDisk(prng);
    for (const path of from.paths())
      if (path.startsWith(`${directories.journal}/`)) this.disk.put(path, from.content(path));
    this.count('copied');
  }

  private ended(process: SimulatedProcess, error: Error): void {
    if (process !== this.process || process.state === 'ended') return;
    this.count(error.name);
    if (!isForeseen(error)) this.parts.auditor.fails(`${this.name} ended: ${error.stack}`);
    if (error instanceof BehindLog || error instanceof JournalLeftBehind || error instanceof JournalDamaged)
      this.mustCopy = true;
    void this.restart(200 + this.parts.prng.below(800), () => this.files.afterKill());
  }

  /** The engine broke: the process tells the cluster, if that goes well, does nothing else, and is started again. */
  private broke(process: SimulatedProcess, broken: BrokenEntry, term: Epoch | null): void {
    if (process !== this.process || process.state === 'ended') return;
    const { time, prng, quorum, auditor } = this.parts;
    if (term === null) auditor.fails(`${this.name} broke on entry ${broken.seq} while it followed`);
    this.count('broke');
    const notedAt = new Date(time.now()).toISOString();
    const note = { ...broken, node: this.name, builds: ['simulated'], notedAt, voidedTo: null };
    this.note = { note, term };
    process.end();
    this.disconnect();
    this.life = null;
    const again = (): void => void this.restart(200 + prng.below(800), () => this.files.afterKill());
    if (term === null || prng.below(3) === 0) {
      again();
      return;
    }
    const { log, faults } = quorum.connect();
    this.connection = faults;
    this.disconnect = () => void log.close();
    if (!this.isReachable) faults.setReachable(false);
    if (prng.below(4) === 0) faults.loseAnswers(1);
    let isOver = false;
    const end = (): void => {
      if (!isOver) again();
      isOver = true;
    };
    time.setTimer(tellPatienceMs, end);
    log.noteBroken(term, note).then(end, end);
  }

  /** Ends the process now and starts it again later, with what its disk holds then. */
  private async restart(afterMs: number, diskAfter: () => Promise<MemoryDisk>): Promise<void> {
    this.process.end();
    this.disconnect();
    this.life = null;
    this.disk = await diskAfter();
    this.parts.time.setTimer(afterMs, () => this.start());
  }

  /** The process is killed. */
  kill(afterMs: number): void {
    if (this.process.state === 'ended') return;
    this.count('killed');
    void this.restart(afterMs, () => this.files.afterKill());
  }

  /** The machine loses its power. */
  losePower(afterMs: number): void {
    if (this.process.state === 'ended') return;
    this.count('power lost');
    void this.restart(afterMs, () => this.files.afterPowerLoss());
  }

  /** The machine is replaced by one with an empty disk. */
  loseDisk(afterMs: number): void {
    if (this.process.state === 'ended') return;
    this.count('disk lost');
    this.note = null;
    void this.restart(afterMs, async () => new MemoryDisk(this.parts.prng));
  }

  /** The process is asked to stop, and is started again. */
  async stop(afterMs: number): Promise<void> {
    const { life, process } = this;
    if (life === null || process.state !== 'running') return;
    this.count('stopped');
    try {
      await life.stop();
    } catch (error) {
      return this.ended(process, error as Error);
    }
    if (process === this.process && process.state === 'running')
      void this.restart(afterMs, () => this.files.afterKill());
  }

  freeze(): void {
    this.process.freeze();
  }

  thaw(): void {
    this.process.thaw();
  }

  setReachable(isReachable: boolean): void {
    this.isReachable = isReachable;
    this.connection?.setReachable(isReachable);
  }

  setDiskFault(fault: FileFault | null): void {
    this.diskFault = fault;
    this.applyDiskFault();
  }

  private applyDiskFault(): void {
    const { diskFault } = this;
    this.disk.plan = ({ name }) => (name === 'write' || name === 'writeThrough' ? diskFault : null);
  }

  /** What goes wrong on its way to the log, until it is started again. */
  get faults(): NodeFaults | null {
    return this.connection;
  }

  /** Submits a command as the leader; `null`: it does not lead. */
  submit(command: Command): Promise<Outcome | null> {
    const { process, life } = this;
    return new Promise((resolve, reject) => {
      process.enter(() => {
        if (life === null) return resolve(null);
        life.submit(command).then(resolve, reject);
      });
    });
  }
}

const foreseen = [
  JournalMoved,
  JournalUnavailable,
  JournalFull,
  JournalDamaged,
  TermEnded,
  BehindLog,
  JournalLeftBehind,
];

/** Whether a node may end with it: faults of the disk, of the log, or another leader. */
const isForeseen = (error: Error): boolean =>
  foreseen.some((kind) => error instanceof kind) || ['ENOSPC', 'EIO'].includes(errorCode(error) ?? '');
