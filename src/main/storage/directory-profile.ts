import type { Profile } from '#model/profile.ts';
import type { ExchangeCore } from '#main/composition/exchange-core.ts';

/** The data directory belongs to an exchange of another profile. */
export class ProfileDiffers extends Error {
  override name = 'ProfileDiffers';
}

/**
 * Refuses a directory of another profile: a sandbox's play money must never be paid out as real coins, and nothing that
 * is simulated may act among real accounts. A journal with entries has recorded its profile. DEC-OPR-100.
 * @throws ProfileDiffers
 */
export function requireProfile({ engine }: ExchangeCore, profile: Profile, root: string): void {
  const { value: recorded } = engine.state.profile;
  if (recorded === profile || (recorded === null && engine.seq === 0)) return;
  throw new ProfileDiffers(
    recorded === null
      ? `${root} was made before profiles were recorded, and nobody can tell for which: choose another --data`
      : `${root} is of the ${recorded} profile, which never changes: start it with --profile ${recorded}, or choose ` +
          'another --data',
  );
}
