import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** Folder of the project, in which examples are run. */
export const project = join(import.meta.dirname, '..', '..');

/** Runs a command in the project's folder: its exit code and the lines that it prints. */
export function runProcess(
  command: string,
  ...args: readonly string[]
): Promise<{ code: number | null; lines: string[] }> {
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawn(command, args, { cwd: project, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, lines: text.trim().split('\n') })));
}
