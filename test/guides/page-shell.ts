import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from './run-process.ts';

/** Commands of a page that stand in one block, and the output that the page shows of them. */
export interface PageStep {
  readonly heading: string;
  readonly commands: string;
  /** Lines in order, others may be between; `…` stands for any text. */
  readonly shown: readonly string[];
}

/** What the commands of a page came to. */
export interface PageRun {
  readonly code: number | string;
  /** All that the last block printed, if it ended the shell. */
  readonly last: string;
  /** Lines that the page shows and that did not come, with their heading. */
  readonly missing: readonly string[];
  readonly output: string;
}

/** The blocks of a page in order. */
export function stepsOf(page: string): readonly PageStep[] {
  const text = readFileSync(join(project, page), 'utf8');
  const steps: PageStep[] = [];
  let heading = '';
  for (const [, title, language, content] of text.matchAll(/^#+ (.+)$|^```(\w+)\n([\s\S]*?)^```$/gm)) {
    if (title !== undefined) heading = title;
    else if (language === 'sh') steps.push({ heading, commands: content!, shown: [] });
    else if (language === 'text') {
      const before = steps.pop()!;
      steps.push({ ...before, shown: [...before.shown, ...content!.trimEnd().split('\n')] });
    }
  }
  return steps;
}

const mark = (index: number): string => `@@ step ${index} @@`;

/**
 * Runs all blocks of a page in one shell, as somebody would who pastes one after the other, and stops at the first
 * command that fails. What they leave running is ended with it. `here`: puts addresses and numbers of this machine in
 * place of those of the page.
 */
export function runPage(
  page: string,
  folder: string,
  environment: NodeJS.ProcessEnv,
  here: (commands: string) => string = (commands) => commands,
): Promise<PageRun> {
  return runSteps(stepsOf(page), folder, environment, here);
}

/** Commands of a page that run for longer are ended. */
const limitMs = 240_000;

/** As `runPage`, some blocks of a page; `most`: milliseconds after which they are ended. */
export async function runSteps(
  steps: readonly PageStep[],
  folder: string,
  environment: NodeJS.ProcessEnv,
  here: (commands: string) => string,
  most: number = limitMs,
): Promise<PageRun> {
  const script = steps.map(({ commands }, index) => `echo '${mark(index)}'\n${here(commands)}`).join('\n');
  const shell = spawn('bash', ['-eo', 'pipefail', '-c', `exec 2>&1\n${script}`], {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  let output = '';
  shell.stdout.on('data', (chunk) => (output += chunk));
  const late = setTimeout(() => endGroup(shell.pid!), most);
  const code = await new Promise<number | string>((resolve) =>
    shell.on('exit', (exit, signal) => resolve(exit ?? signal!)),
  );
  clearTimeout(late);
  endGroup(shell.pid!);
  const parts = steps.map((_, index) => output.split(`${mark(index)}\n`)[1]?.split('@@ step ')[0] ?? '');
  const missing = steps.flatMap((step, index) => missingLines(step, parts[index]!));
  return { code, last: parts.findLast((part) => part !== '') ?? '', missing, output };
}

/** Ends what a shell left running. */
function endGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // Nothing is left.
  }
}

function missingLines({ heading, shown }: PageStep, output: string): readonly string[] {
  const lines = output.split('\n');
  let at = 0;
  for (const wanted of shown) {
    const pattern = new RegExp(`^${wanted.split('…').map(escaped).join('.*')}$`);
    const found = lines.findIndex((line, index) => index >= at && pattern.test(line.trimEnd()));
    if (found < 0) return [`${heading}: ${wanted}`, ...lines.slice(at, at + 40).map((line) => `  printed: ${line}`)];
    at = found + 1;
  }
  return [];
}

const escaped = (text: string): string => text.trimEnd().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
