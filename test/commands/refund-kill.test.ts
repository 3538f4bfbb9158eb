import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { shareOf } from '../every-case.ts';
import { type Anvil, hasAnvil, startAnvil } from '../evm/anvil.ts';
import { startTamperingNode, type TamperingNode } from '../evm/tampering-node.ts';
import { entry, env, type Exchange, listEther, makeCustody, startOnChain, until } from './exchange-on-chain.ts';

const ether = 10n ** 18n;
const payer = '0x00000000000000000000000000000000DeaDBeef';

let folder: string;
let anvil: Anvil;
let node: TamperingNode;
let exchange: Exchange | null = null;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'refund-kill-'));
  anvil = await startAnvil();
  node = await startTamperingNode(anvil.url);
});
afterEach(async () => {
  await exchange?.kill();
  await node.stop();
  await anvil.stop();
  rmSync(folder, { recursive: true, force: true });
});

const balanceOf = async (address: string): Promise<bigint> =>
  BigInt(await anvil.rpc('eth_getBalance', address, 'latest'));
async function pay(to: string, value: bigint): Promise<void> {
  const [from] = await anvil.rpc<string[]>('eth_accounts');
  await anvil.rpc('eth_sendTransaction', { from, to, value: `0x${value.toString(16)}` });
  await anvil.mine();
}
/** Whether a call sends the refund; sweeps are sent too. */
const paysBack = ({
  method,
  params: [raw],
}: {
  readonly method: string;
  readonly params: readonly unknown[];
}): boolean => method === 'eth_sendRawTransaction' && String(raw).includes(payer.slice(2).toLowerCase());

describe.skipIf(!hasAnvil)('DEC-OPR-215: a process that is killed while it pays a deposit back', () => {
  test.each(shareOf(['when the node has it', 'before the node has the transaction'], 2))(
    '%s pays it once',
    async (where) => {
      const hotWallet = makeCustody(folder, node.url);
      await pay(hotWallet, 10n * ether);
      const data = join(folder, 'data');
      const first = (exchange = await startOnChain(folder, data));
      const { uid, ...key } = await listEther(first);
      const [{ address }] = await first.customer(key, 'POST', '/capital/deposit/address', {
        coin: 'ETH',
        network: 'ETH',
      });
      await first.operator('PUT', `/v1/accounts/${uid}/status`, { status: 'frozen' });
      await pay(address, ether);
      const scopes = ['deposits:read', 'deposits:review', 'adjustments:write', 'ledger:read'];
      const { token } = await first.operator('POST', '/v1/tokens', { actor: 'ann', scopes, validHours: 1 });
      const ann = (method: string, path: string, body?: object) => exchange!.operator(method, path, body, token);
      const capital = { house: 'capital', asset: 'ETH', amount: '10', kind: 'capitalIn', reason: 'float' };
      await ann('POST', '/v1/adjustments', capital);
      const status = async () => (await ann('GET', '/v1/deposits')).items[0]?.status;
      const becomes = (wanted: string) =>
        until(async () => {
          await anvil.mine();
          return (await status()) === wanted ? true : undefined;
        });
      await becomes('restricted');
      await ann('POST', '/v1/deposits/1/review', { decision: 'refund' });

      const died = once(first.process, 'exit');
      const kill = () => first.process.kill('SIGKILL');
      node.behaviour = where.startsWith('before')
        ? { keeps: (calls) => calls.some(paysBack) && kill() }
        : {
            tamper: (result, call) => {
              if (paysBack(call)) kill();
              return result;
            },
          };
      await ann('POST', '/v1/deposits/1/refund', { address: payer });
      await died;
      expect(first.process.signalCode).toBe('SIGKILL');
      node.behaviour = {};

      exchange = await startOnChain(folder, data);
      await becomes('refunded');
      const [{ paidBackBy }] = (await ann('GET', '/v1/deposits')).items;
      expect(paidBackBy).toBe(1);
      await anvil.mine(20);
      expect(await balanceOf(payer)).toBe((ether * 999n) / 1000n);
      expect(BigInt(await anvil.rpc('eth_getTransactionCount', hotWallet, 'latest'))).toBe(1n);
      // The node in between is in this process, so nothing waits for the command.
      const args = [entry, 'reconcile', '--url', exchange.operatorUrl];
      const told = await promisify(execFile)(process.execPath, args, { env: { ...env, BOURSE_OPERATOR_TOKEN: token } });
      expect(told.stdout).toContain('all is explained');
    },
    240_000,
  );
});
