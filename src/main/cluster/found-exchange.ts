import type { Profile } from '#model/profile.ts';
import type { Journal } from '#journal/journal.ts';
import { ConfigurationRefused } from '#main/configuration/config.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import { MomentDiffers, seedOf, startMomentOf } from '#sandbox/sandbox-files.ts';

/*
 * What a cluster is begun with must be what its nodes can go on with. DEC-CLU-23.
 */

/** Clusters have the time of their machines. @throws MomentDiffers where a directory has a time of its own */
export async function requireTimeOfMachines(root: string): Promise<void> {
  if ((await startMomentOf(root, null)) === null) return;
  throw new MomentDiffers(`${root} was made with --now: nodes of a cluster have the time of their machines`);
}

/** Makes the seed of a sandbox that has none yet: every node is given a copy. @throws MomentDiffers */
export async function prepareSandbox({ profile, seed }: Pick<Configuration, 'profile' | 'seed'>, root: string) {
  if (profile !== 'sandbox') return;
  await requireTimeOfMachines(root);
  await seedOf(root, seed);
}

/** How many of the first entries are looked at: the profile is one of the first. */
const firstEntries = 1000;

/**
 * A journal records its profile among its first entries, unless they were deleted.
 * @throws ConfigurationRefused where that is another one
 */
export async function requireProfileOf(journal: Journal, profile: Profile): Promise<void> {
  const first = journal.first();
  if (first !== 1 || journal.last() < first) return;
  let seen = 0;
  for await (const entries of journal.read(first)) {
    for (const { command } of entries) {
      if (command.kind !== 'recordProfile') continue;
      if (command.profile === profile) return;
      throw new ConfigurationRefused([`the exchange is of the ${command.profile} profile, not of ${profile}`]);
    }
    seen += entries.length;
    if (seen >= firstEntries) return;
  }
}
