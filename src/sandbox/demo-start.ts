import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isoTime, timeOfIso } from '#base/clock.ts';
import { writePrivateFile } from '#sandbox/private-file.ts';

/** The data directory was made for another moment than the one asked for, or for none. */
export class MomentDiffers extends Error {
  override name = 'MomentDiffers';
}

/**
 * The moment at which the history of a sandbox ends and its clock begins, in milliseconds since 1970 UTC; `null`: that
 * of its first start, and the clock is the machine's. A new data directory keeps what is `asked` in `DATA/now`.
 * @throws MomentDiffers when the directory was made for another moment. DEC-OPR-27.
 */
export async function startMomentOf(dataDirectory: string, asked: number | null): Promise<number | null> {
  const path = join(dataDirectory, 'now');
  const kept = await keptMoment(path);
  if (asked === kept || asked === null) return kept;
  if (kept !== null || existsSync(join(dataDirectory, 'seed'))) {
    const made = kept === null ? 'without --now' : `with --now ${isoTime(kept)}`;
    throw new MomentDiffers(`${dataDirectory} was made ${made}: leave --now out, or choose another --data`);
  }
  await writePrivateFile(path, `${isoTime(asked)}\n`);
  return asked;
}

async function keptMoment(path: string): Promise<number | null> {
  let text: string;
  try {
    text = (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return null;
    throw error;
  }
  const at = timeOfIso(text);
  if (at === null) throw new MomentDiffers(`${path} holds no time such as 2026-01-01T00:00:00Z`);
  return at;
}
