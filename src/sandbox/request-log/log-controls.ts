import { ccxtOf, ccxtSetUpOf } from '#sandbox/request-log/export-ccxt.ts';
import { curlOf } from '#sandbox/request-log/export-curl.ts';
import { harOf } from '#sandbox/request-log/export-har.ts';
import { pythonOf } from '#sandbox/request-log/export-python.ts';
import type { EntryFilter } from '#sandbox/request-log/entry-filter.ts';
import {
  type Control,
  isRequest,
  type LogEntry,
  logLimits,
  type RequestEntry,
} from '#sandbox/request-log/log-entry.ts';
import type { CopyParts } from '#sandbox/request-log/unsigned-request.ts';
import type { LogSettings, RequestLog } from '#sandbox/request-log/request-log.ts';
import {
  type EntrySummary,
  type ShownEntry,
  shownEntry,
  type ShowParts,
  summaryOf,
} from '#sandbox/request-log/show-entry.ts';

/** What entries can be exported as. */
export const exportFormats = ['har', 'curl', 'ccxt', 'python'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Too many programs wait for an entry already. */
export class TooManyWait extends Error {
  override name = 'TooManyWait';
}

/** What operators do with the log of requests. */
export interface LogControls {
  /** A page of summaries, newest first: those with an id below `before`, one more than `limit` where there are more. */
  page(
    asked: EntryFilter,
    page: { readonly before: number | null; readonly limit: number },
  ): Promise<readonly EntrySummary[]>;
  /** `null`: there is no such entry, or no more. */
  entry(id: number): Promise<ShownEntry | null>;
  /** The first entry behind `after`, now or within some time of the machine. @throws TooManyWait */
  await(asked: EntryFilter, ms: number): Promise<ShownEntry | null>;
  /** The newest entries as text, oldest first; one that is asked for by its id stands on its own. */
  export(asked: EntryFilter, format: ExportFormat): Promise<{ readonly entries: number; readonly text: string }>;
  /** Keeps a call of the operator API, `at` the moment of the call; what is too long of it is left out. */
  controlled(at: number, control: Control): void;
  settings(): LogSettings;
  set(settings: LogSettings): LogSettings;
  clear(): number;
}

/** What the controls of a log stand on. */
export interface LogControlParts extends ShowParts, CopyParts {
  readonly log: RequestLog;
  readonly version: string;
}

/** Creates the controls of a log. DEC-KIT-27, DEC-KIT-29, DEC-KIT-30. */
export function createLogControls(parts: LogControlParts): LogControls {
  const { log, hide, version } = parts;
  const shown = (entry: LogEntry | null): Promise<ShownEntry | null> =>
    entry === null ? Promise.resolve(null) : shownEntry(entry, parts);
  /** A request as text; `null`: this form has none of it. */
  const textOf = (entry: RequestEntry, format: Exclude<ExportFormat, 'har'>, isAlone: boolean): string | null => {
    if (format === 'curl') return curlOf(entry, parts);
    if (format === 'python') return pythonOf(entry, parts);
    const call = ccxtOf(entry, hide);
    return call === null || !isAlone
      ? call
      : `${ccxtSetUpOf(entry, parts)}\n${call.replace(/await (.*);$/, 'console.log(await $1);')}`;
  };
  return {
    page: async (asked, { before, limit }) => {
      const entries = log.matching(asked).filter(({ id }) => before === null || id < before);
      const newest = entries.slice(-(limit + 1)).reverse();
      return Promise.all(newest.map((entry) => summaryOf(entry, parts)));
    },
    entry: (id) => shown(log.find(id)),
    await: async (asked, ms) => {
      if (log.waits >= logLimits.waiting) throw new TooManyWait();
      return shown(await log.await({ ...asked, after: asked.after ?? log.lastId }, ms));
    },
    export: async (asked, format) => {
      const entries = log
        .matching({ ...asked, kind: 'request' })
        .filter(isRequest)
        .slice(-logLimits.exported);
      if (format === 'har') {
        const all = await Promise.all(entries.map((entry) => shownEntry(entry, parts)));
        return { entries: all.length, text: JSON.stringify(harOf(all, version)) };
      }
      const texts = entries.flatMap((entry) => textOf(entry, format, asked.id !== undefined) ?? []);
      return { entries: texts.length, text: texts.map((text) => `${text}\n`).join('\n') };
    },
    controlled: (at, control) => {
      const kept = (text: string | null) => (text === null || text.length > logLimits.controlLength ? null : text);
      log.controlled(at, { ...control, body: kept(control.body), answer: kept(control.answer) });
    },
    settings: () => log.settings,
    set: (settings) => {
      log.set(settings);
      return log.settings;
    },
    clear: () => log.clear(),
  };
}
