import { createHmac, hkdfSync } from 'node:crypto';
import type { CommandLog } from '#cluster/command-log.ts';
import { createEtcdLog } from '#cluster/etcd/etcd-log.ts';
import { type ClusterFile, readClusterFile } from '#main/cluster/cluster-file.ts';
import { ClusterNode, type ClusterNodeParts } from '#main/cluster/cluster-node.ts';
import { NoteThread } from '#main/cluster/note-thread.ts';
import { ConfigurationRefused, readTextFile } from '#main/configuration/config.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import { readPrivateFile } from '#main/secrets/private-file.ts';
import type { SealKeys } from '#main/secrets/secret-seal.ts';

/** Tells master keys apart; nobody can get the key from it. */
export const fingerprintOf = ({ keys }: Pick<SealKeys, 'keys'>): string =>
  createHmac('sha256', keys[0]!).update('bourse cluster: fingerprint of the master key').digest('hex').slice(0, 32);

/** The log that a cluster file names. @throws ConfigurationRefused for a file that it names and that cannot be read */
export function openLog({ exchange, etcd }: ClusterFile): CommandLog {
  const { endpoints, user } = etcd;
  const ca = textOf('etcd.caFile', etcd.caFile);
  const cert = textOf('etcd.certificateFile', etcd.certificateFile);
  const key = textOf('etcd.keyFile', etcd.keyFile, readPrivateFile);
  const password = textOf('etcd.passwordFile', etcd.passwordFile, readPrivateFile);
  return createEtcdLog({
    exchange,
    endpoints,
    tls: { ...(ca === null ? {} : { ca }), ...(cert === null ? {} : { cert }), ...(key === null ? {} : { key }) },
    ...(user === null ? {} : { user: { name: user, password: password?.trim() ?? '' } }),
  });
}

function textOf(member: string, path: string | null, read = readTextFile): string | null {
  if (path === null) return null;
  try {
    return read(path);
  } catch (error) {
    throw new ConfigurationRefused([`cluster file: ${member}: ${(error as Error).message}`]);
  }
}

/** The key by which the nodes of a cluster know each other: all have the same master key. */
export const linkKeyOf = ({ keys }: Pick<SealKeys, 'keys'>, { exchange }: ClusterFile): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', keys[0]!, exchange, 'bourse cluster: link between nodes', 32));

/** What a start gives for its cluster. */
export interface OpenClusterParts extends Pick<ClusterNodeParts, 'tell' | 'onTrouble' | 'onEnded' | 'onAsked'> {
  readonly config: Configuration;
  readonly keys: SealKeys;
  /** Version of the build. */
  readonly build: string;
}

/** The cluster that the settings name; `undefined`: this process is by itself. @throws ConfigurationRefused */
export function openCluster({ config, keys, build, ...rest }: OpenClusterParts): ClusterNode | undefined {
  if (config.cluster === null) return undefined;
  const file = readClusterFile(config.cluster, readTextFile);
  const identity = { profile: config.profile, keyFingerprint: fingerprintOf(keys), build };
  const log = openLog(file);
  const notes = file.mayLead ? new NoteThread(file, rest.onTrouble) : null;
  return new ClusterNode({ file, log, identity, linkKey: linkKeyOf(keys, file), notes, ...rest });
}
