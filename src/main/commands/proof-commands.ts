import type { Command } from 'commander';
import { isoTime } from '#base/clock.ts';
import type { PrintedAnswer } from '#main/commands/printed-answer.ts';
import { proofFault } from '#proof-of-liabilities/liability-tree.ts';
import { MalformedProof, readProof, readRoot } from '#proof-of-liabilities/proof-document.ts';

const exitCodes = { done: 0, notProved: 1, usage: 2 } as const;

/**
 * Adds `bourse proof verify`, which checks the proof of one account against the published root. It needs the two files
 * alone: no exchange, no data directory, no network. `tell` gets what to print and the exit code.
 */
export function addProofCommands(
  program: Command,
  readFile: (path: string) => string,
  tell: (answer: PrintedAnswer) => void,
): void {
  const proof = program.command('proof').description('check that the exchange counts what it owes you');
  const verify = proof.command('verify').description('check the proof of one account; exit code 1 if it does not hold');
  verify.argument('<proof>', 'file with the proof of the account');
  verify.requiredOption('--root <file>', 'file with the root as the exchange published it for everybody');
  verify.action((path: string, { root }: { readonly root: string }) => tell(verifyProof(readFile, path, root)));
}

function verifyProof(readFile: (path: string) => string, path: string, rootPath: string): PrintedAnswer {
  try {
    const { proof, at } = readProof(readFile(path));
    const root = readRoot(readFile(rootPath));
    const fault = proofFault(proof, root);
    if (fault !== null) return { exit: exitCodes.notProved, text: `not proved: ${fault}\n` };
    const { uid, balances } = proof.liability;
    const lines = [...balances].map(([code, amount]) => `  ${code}  ${amount} of ${root.sums.get(code) ?? 0n}\n`);
    return {
      exit: exitCodes.done,
      text: `proved: at ${isoTime(at)} the exchange counted for account ${uid}, in smallest units\n${lines.join('')}`,
    };
  } catch (error) {
    if (error instanceof MalformedProof) return { exit: exitCodes.notProved, text: `not proved: ${error.message}\n` };
    const { code, message } = error as { readonly code?: string; readonly message: string };
    if (code === undefined) throw error;
    return { exit: exitCodes.usage, text: `bourse: ${message}\n` };
  }
}
