import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const project = join(import.meta.dirname, '..', '..');
const copied = [
  'tools',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'vitest.config.ts',
  'test/every-answer.ts',
  'test/watched-socket.ts',
  'test/http-messages.ts',
];

/** What a command left behind. */
export interface CommandResult {
  readonly status: number | null;
  /** Lines of standard output. */
  readonly lines: readonly string[];
  readonly stderr: string;
}

/**
 * A project of its own in a temporary folder with the real tools over sources of one's choice, so that nothing here
 * touches the packages and outputs of this one. `links` are the packages it needs.
 */
export class SmallProject {
  readonly folder = mkdtempSync(join(tmpdir(), 'bourse-project-'));

  constructor(links: readonly string[]) {
    for (const name of copied) cpSync(join(project, name), join(this.folder, name), { recursive: true });
    for (const name of links) {
      mkdirSync(dirname(join(this.folder, 'node_modules', name)), { recursive: true });
      symlinkSync(join(project, 'node_modules', name), join(this.folder, 'node_modules', name));
    }
    const lock = readFileSync(join(this.folder, 'package-lock.json'));
    this.write('node_modules/.package-lock.json', '{}');
    this.write('node_modules/.bourse-lock-stamp', createHash('sha256').update(lock).digest('hex'));
  }

  /** Writes a file below the project's folder. */
  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  /** Runs one of the project's tools to its end. */
  run(tool: string, ...args: readonly string[]): CommandResult {
    const { VITEST: _, VITEST_WORKER_ID: __, ...env } = process.env;
    const run = spawnSync(process.execPath, [`tools/${tool}.mjs`, ...args], {
      cwd: this.folder,
      encoding: 'utf8',
      env,
    });
    return { status: run.status, lines: run.stdout.trimEnd().split('\n'), stderr: run.stderr };
  }

  /** Removes it. */
  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
