/**
 * Starts an EVM chain on this machine with Anvil: a block every few seconds, funded accounts that everybody has the
 * keys of. Ends with Ctrl-C; nothing is kept.
 *
 *   node examples/evm-custody/start-chain.mjs [port] [seconds between blocks]
 */
import { spawn } from 'node:child_process';
import { anvilBinary } from './anvil.mjs';

const [port = '8545', blockSeconds = '2'] = process.argv.slice(2);
const binary = anvilBinary();
const chain = spawn(binary, ['--host', '127.0.0.1', '--port', port, '--block-time', blockSeconds], { stdio: 'inherit' });
process.on('SIGINT', () => chain.kill('SIGINT'));
process.on('SIGTERM', () => chain.kill('SIGTERM'));
chain.on('exit', (code) => process.exit(code ?? 0));
