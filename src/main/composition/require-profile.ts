import type { Profile } from '#model/profile.ts';
import type { ExchangeCore } from '#main/composition/exchange-core.ts';
import { type DataDirectory, filesOfSandbox } from '#main/storage/data-directory.ts';

/** The data directory belongs to an exchange of another profile. */
export class ProfileDiffers extends Error {
  override name = 'ProfileDiffers';
}

/**
 * Refuses a directory of another profile: a sandbox's play money must never be paid out as real coins, and nothing that
 * is simulated may act among real accounts. A journal with entries has recorded its profile. Production refuses a
 * directory that has files of a sandbox, such as known keys, too. DEC-OPR-100, DEC-OPR-297.
 * @throws ProfileDiffers
 */
export function requireProfile({ engine }: ExchangeCore, profile: Profile, directory: DataDirectory): void {
  const { root } = directory;
  const { value: recorded } = engine.state.profile;
  if (recorded === null && engine.seq > 0)
    throw new ProfileDiffers(
      `${root} was made before profiles were recorded, and nobody can tell for which: choose another --data`,
    );
  if (recorded !== null && recorded !== profile)
    throw new ProfileDiffers(
      `${root} is of the ${recorded} profile, which never changes: start it with --profile ${recorded}, or choose ` +
        'another --data',
    );
  const found = profile === 'production' ? filesOfSandbox(directory) : [];
  if (found.length === 0) return;
  throw new ProfileDiffers(
    `${root} has files of a sandbox, which cannot be in production: remove ${found.join(', ')}, or choose another ` +
      '--data',
  );
}
