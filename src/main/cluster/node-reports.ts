import { randomUUID } from 'node:crypto';
import { commandFormatVersion } from '#model/command-codec.ts';
import { newestRules } from '#model/rules.ts';
import type { NodeStatus } from '#cluster/command-log.ts';
import { startReporting, type TalkParts } from '#cluster/lead.ts';
import { type Namesake, OwnName } from '#cluster/own-name.ts';
import type { ClusterFile } from '#main/cluster/cluster-file.ts';
import { ClusterRefused } from '#main/cluster/join-chain.ts';

/** What reports of a node need. */
export interface NodeReportParts {
  readonly file: Pick<ClusterFile, 'exchange' | 'node' | 'mayLead'>;
  /** Version of the build. */
  readonly build: string;
  readonly tell: (message: string) => void;
  /** Another process runs as this node, and did so before: this one has to stop. */
  readonly onEnded: (error: ClusterRefused) => void;
}

/** How far a node is, and where its link is reached. */
export type Progress = Pick<NodeStatus, 'address' | 'journaled' | 'applied' | 'rules' | 'clock'>;

/** What this node tells its cluster of itself, again and again; with it, it finds who else goes by its name. */
export class NodeReports {
  private readonly parts: NodeReportParts;
  private readonly name = new OwnName(randomUUID());
  private namesake: Namesake | null = null;
  private endReports: () => void = () => {};

  constructor(parts: NodeReportParts) {
    this.parts = parts;
  }

  /** From now on `progress` is told, in place of what was told before. */
  start(talk: TalkParts, progress: () => Progress): void {
    const { file, build } = this.parts;
    const forms = { newestRules, commandFormat: commandFormatVersion };
    const fixed = { node: file.node, build, isCandidate: file.mayLead, ...forms, run: this.name.run };
    this.end();
    this.endReports = startReporting(
      talk,
      () => ({ ...fixed, ...progress() }),
      (before) => this.found(before),
    );
  }

  /** Tells nothing more. */
  end(): void {
    this.endReports();
  }

  /** Told what was reported under the name of this node. DEC-CLU-29. */
  private found(before: NodeStatus | null): void {
    const { file, tell, onEnded } = this.parts;
    const other = this.name.found(before);
    if (other === this.namesake) return;
    this.namesake = other;
    const runs = `process runs as node ${file.node} of the cluster ${file.exchange}`;
    if (other === 'earlier')
      onEnded(new ClusterRefused(`another ${runs}: give this one a name of its own in its cluster file`));
    else if (other === 'later') tell(`Another ${runs}: it is to end.`);
  }
}
