import type { Command } from 'commander';
import { beginCluster } from '#main/cluster/begin-cluster.ts';
import { type ClusterWork, runOnCluster } from '#main/cluster/cluster-command.ts';
import { joinByCommand } from '#main/cluster/join-command.ts';
import { showStatus } from '#main/cluster/cluster-status.ts';
import { leaveCluster } from '#main/cluster/leave-cluster.ts';
import { reconcileCluster, type ReconcileOptions } from '#main/cluster/reconcile-cluster.ts';
import { stepDown } from '#main/cluster/step-down.ts';
import type { LoadedConfiguration } from '#main/configuration/config.ts';
import type { Work } from '#operator-commands/terminal.ts';

/** What the commands about a cluster are made with. */
export interface ClusterCommandParts {
  readonly later: (work: Work) => void;
  /** Adds the options of settings that say which cluster, which directory and which master key. */
  readonly addSettings: (command: Command) => void;
  readonly load: (options: Command, data: string | undefined) => LoadedConfiguration;
  /** Version of the build. */
  readonly version: string;
}

/** Of an option that is given once for each. */
const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** Adds `bourse cluster …`. Each command has a file of its own. */
export function addClusterCommands(program: Command, { later, addSettings, load, version }: ClusterCommandParts): void {
  const cluster = program.command('cluster').description('several nodes that run one exchange together');
  const add = (name: string, description: string): Command => {
    const command = cluster.command(name).description(description);
    addSettings(command);
    return command;
  };
  const run = (self: Command, data: string | undefined, work: ClusterWork): void =>
    later((terminal) => runOnCluster(() => load(self, data).config, work, terminal));

  add('init', 'begin a cluster with the stopped exchange of this directory, or with a new one')
    .argument('[data]', 'data directory (default: --data)')
    .action((data: string | undefined, _options: unknown, self: Command) => run(self, data, beginCluster));
  add('join', 'fetch from other nodes what this one needs before its first start')
    .argument('[data]', 'data directory (default: --data)')
    .action((data: string | undefined, _options: unknown, self: Command) =>
      run(self, data, (call) => joinByCommand(call, version)),
    );
  add('status', 'who leads, how far each node is, and in what they differ')
    .argument('[data]', 'data directory (default: --data)')
    .option('--json', 'print it as JSON')
    .action((data: string | undefined, { json }: { readonly json?: true }, self: Command) =>
      run(self, data, (call) => showStatus(call, json === true)),
    );
  add('leave', 'take a node out that is gone, or with --last go back to one machine')
    .argument('[node]', 'name of the node that is gone')
    .option('--last', 'end the cluster: the directory of this stopped node is that of a lone exchange from then on')
    .action((node: string | undefined, { last }: { readonly last?: true }, self: Command) =>
      run(self, undefined, (call) => leaveCluster(call, node, last === true)),
    );
  add('reconcile', 'bring a cluster back whose etcd is lost; without --begin, show where the journal here ends')
    .argument('[data]', 'data directory (default: --data)')
    .option('--begin', 'begin the log anew from the journal here, which goes furthest')
    .option('--journal <end>', 'where the journal of another node ends, as this command prints it there', collect)
    .option('--without <node>', 'a node whose journal is gone', collect)
    .option('--replace', 'etcd keeps an older copy of the cluster: take its place')
    .action((data: string | undefined, options: ReconcileOptions, self: Command) =>
      run(self, data, (call) => reconcileCluster(call, options)),
    );
  add('step-down', 'the leader ends its term, and another node leads at once').action(
    (_options: unknown, self: Command) => run(self, undefined, stepDown),
  );
}
