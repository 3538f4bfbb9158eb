import { commandFormatVersion } from '#model/command-codec.ts';
import { newestRules } from '#model/rules.ts';
import type { CommandLog } from '#cluster/command-log.ts';
import { answered, type WaitParts } from '#main/cluster/await-quorum.ts';
import type { ClusterFile } from '#main/cluster/cluster-file.ts';
import { ClusterRefused } from '#main/cluster/join-chain.ts';

/** What is compared, and as whom. */
export interface FormParts extends WaitParts {
  readonly log: Pick<CommandLog, 'leader' | 'nodes'>;
  readonly file: Pick<ClusterFile, 'exchange'>;
  readonly identity: { readonly build: string };
}

/**
 * Refuses a build that cannot follow: it reads other forms of commands than the leader writes, or does not know the
 * rules that are in force. By what nodes reported lately; where none did, the journal tells it later. DEC-CLU-28.
 * @throws ClusterRefused
 */
export async function requireKnownForms(parts: FormParts): Promise<void> {
  const { log, file, identity } = parts;
  const [leader, nodes] = await answered(parts, () => Promise.all([log.leader(), log.nodes()]));
  const leading = nodes.find(({ node }) => node === leader?.node);
  if (leading !== undefined && leading.commandFormat !== commandFormatVersion)
    throw new ClusterRefused(
      `the leader of the cluster ${file.exchange}, ${leading.node} of build ${leading.build}, writes commands in ` +
        `form ${leading.commandFormat}, and this build, ${identity.build}, in form ${commandFormatVersion}: all ` +
        'nodes need builds of one form',
    );
  const newer = nodes.find(({ rules }) => (rules ?? 0) > newestRules);
  if (newer !== undefined)
    throw new ClusterRefused(
      `the cluster ${file.exchange} goes by version ${newer.rules} of the rules, and this build, ${identity.build}, ` +
        `knows them up to version ${newestRules}: start a newer build, such as ${newer.build} of ${newer.node}`,
    );
}
