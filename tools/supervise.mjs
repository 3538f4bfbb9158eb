/**
 * A node of a cluster that no longer leads ends its process, and has to follow soon: whoever starts it starts it again.
 * Under systemd that is `Restart=always`; `npm start` does it here. DEC-CLU-10.
 */
import { spawn } from 'node:child_process';

const restartMs = 1000;
/** What starting again does not mend: wrong settings, a directory that cannot be used. */
const lasting = new Set([0, 2, 3]);

/** Runs `node` with these arguments until it ends as asked or for good; ends this process with its exit code. */
export function supervise(args) {
  let child = null;
  let isAsked = false;
  const start = () => {
    child = spawn(process.execPath, [...process.execArgv, ...args], { stdio: 'inherit' });
    child.on('exit', (code, signal) => {
      if (isAsked || (code !== null && lasting.has(code))) process.exit(code ?? 1);
      console.error(`The node ended (${code ?? signal}): it is started again.`);
      setTimeout(() => (isAsked ? process.exit(0) : start()), restartMs);
    });
  };
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.on(signal, () => {
      isAsked = true;
      child?.kill(signal);
    });
  }
  start();
}
