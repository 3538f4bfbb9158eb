import { z } from 'zod';
import { engineLimits } from '#model/limits.ts';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import type { BackupControls, BackupRun } from '#operator-api/operators/backup-controls.ts';
import { createRequestMemory } from '#operator-api/requests/act.ts';
import { Problem } from '#operator-api/requests/problems.ts';

const whole = (description: string) => field.whole(description, { min: 0, max: Number.MAX_SAFE_INTEGER });
const name = () =>
  field
    .text('Name of the backup: its folder in the directory of the settings.', engineLimits.backupNameLength)
    .meta({ examples: ['bourse-2026-01-31-120000'] });

const run = z.strictObject({
  name: name(),
  startedAt: field.moment('When it was begun.'),
  endedAt: field.moment('When it ended; null: it is being made.').nullable(),
  state: field.word(['running', 'done', 'failed'], 'How it stands.'),
  step: z
    .string()
    .meta({ description: 'What it does and how far it is; why it failed.', examples: ['Wrote 81.5 MB.'] }),
});
const made = z.strictObject({
  name: name(),
  madeAt: field.moment('When it was made.'),
  madeBy: z.string().meta({ description: 'The build that made it.', examples: ['Bourse 0.5.0'] }),
  lastEntry: whole('The last entry of the journal that is in it.'),
  holdsHistory: field.flag('Whether history is in it.'),
  bytes: whole('What it takes on the disk.'),
});

/** Endpoints of backups. DEC-OPR-243. */
export const backupEndpoints = {
  listBackups: endpoint.get('/v1/backups', {
    scope: 'backups:read',
    name: 'Backups',
    command: 'backups list',
    summary: 'The newest backups in the directory of the settings, and the one that is being made.',
    notes: 'Those that are not whole, and what else stands in the directory, are left out. At most 50, newest first.',
    answer: z.strictObject({
      isConfigured: field.flag('Whether the setting backupDirectory names a directory.'),
      isReadable: field.flag('Whether that directory could be read; one that is not there yet is empty.'),
      run: run.nullable().meta({ description: 'The backup that this process makes, or made last; null: none.' }),
      items: z.array(made),
    }),
  }),
  makeBackup: endpoint.post('/v1/backups', {
    scope: 'backups:write',
    name: 'Back up now',
    command: 'backups make',
    summary: 'Begins a backup of this process, as the command `bourse backup` makes it, while the exchange goes on.',
    notes:
      'It is made into a new folder of the directory of the settings: journal, newest snapshot, history, settings, ' +
      'no master key. Every byte is checked. `GET /v1/backups` tells how far it is. In a cluster each node ' +
      'backs up itself.',
    answer: run,
    status: 201,
    problems: ['noBackupDirectory', 'backupRunning'],
  }),
} as const;

/** The only place is kept before the act, so that two requests at once are one backup and one refusal. DEC-OPR-244. */
async function beginBackup(backups: BackupControls, record: (name: string) => Promise<unknown>): Promise<BackupRun> {
  const reserved = backups.reserve();
  if (reserved === null) throw new Problem('backupRunning');
  try {
    await record(reserved);
  } catch (error) {
    backups.release();
    throw error;
  }
  backups.begin();
  return backups.run() as BackupRun;
}

/** Handlers of backups. */
export function backupHandlers(context: OperatorContext): HandlersOf<typeof backupEndpoints> {
  const { backups } = context;
  const once = createRequestMemory(context);
  return {
    listBackups: async () => {
      if (backups === null) return { isConfigured: false, isReadable: false, run: null, items: [] };
      const items = await backups.list().catch(() => null);
      return { isConfigured: true, isReadable: items !== null, run: backups.run(), items: [...(items ?? [])] };
    },
    makeBackup: (request) =>
      once('makeBackup', request, async () => {
        if (backups === null) throw new Problem('noBackupDirectory');
        return beginBackup(backups, (name) => request.actUnkeyed({ kind: 'recordBackup', name }));
      }),
  };
}
