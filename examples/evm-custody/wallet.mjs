#!/usr/bin/env node
/**
 * What customers do with their own wallets, on a chain of `start-chain.mjs`: pays from its first account, which everybody
 * has the key of. Amounts are whole coins, or parts of them; a token is named by its contract and decimals.
 *
 *   node examples/evm-custody/wallet.mjs NODE deploy                                 makes a token; prints its contract
 *   node examples/evm-custody/wallet.mjs NODE pay ADDRESS AMOUNT [CONTRACT DECIMALS] prints the transaction
 *   node examples/evm-custody/wallet.mjs NODE balance ADDRESS [CONTRACT DECIMALS]    prints what an address has
 */
import { setTimeout as wait } from 'node:timers/promises';

const [node, verb, ...words] = process.argv.slice(2);
const ether = 18;
/** Deploys the token of test/evm/test-token.sol: its first 10^24 units belong to who deploys it. */
const tokenCode =
  '0x6a00d3c21bcecceda100000033556100d661001d6000396100d66000f360003560e01c806370a082311461002d578063a9' +
  '059cbb14610083578063854dd2e21461003a575b60006000fd5b6004355460005260206000f35b6024353354818110610027' +
  '57819003335580600435540160043555600052600435337fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f5' +
  '5a4df523b3ef60206000a35b602435335481811061002757819003335580600435540160043555600052600435337fddf252' +
  'ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef60206000a3600160005260206000f3';
const inHex = (value) => `0x${value.toString(16)}`;

async function ask(method, ...params) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const { result, error } = await (await fetch(node, { method: 'POST', headers, body })).json();
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

/** Sends a transaction and waits until it is in a block; answers its receipt. */
async function send(transaction) {
  const [from] = await ask('eth_accounts');
  const id = await ask('eth_sendTransaction', { from, ...transaction });
  for (;;) {
    const receipt = await ask('eth_getTransactionReceipt', id);
    if (receipt?.status === '0x1') return receipt;
    if (receipt) throw new Error(`${id} failed`);
    await wait(100);
  }
}

/** A call of a contract: which function, then its arguments, each in 32 bytes. */
const callOf = (selector, ...words) => selector + words.map((word) => word.replace('0x', '').padStart(64, '0')).join('');
const functions = { transfer: '0xa9059cbb', balanceOf: '0x70a08231' };

/** In smallest units. */
function unitsOf(amount, decimals) {
  const [whole, part = ''] = amount.split('.');
  return BigInt(whole + part.padEnd(decimals, '0'));
}

function shown(units, decimals) {
  const digits = String(units).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '');
}

const verbs = {
  deploy: async () => (await send({ data: tokenCode })).contractAddress,
  pay: async (to, amount, contract, decimals = ether) => {
    const value = inHex(unitsOf(amount, Number(decimals)));
    const transfer = { to: contract, data: callOf(functions.transfer, to, value) };
    return (await send(contract ? transfer : { to, value })).transactionHash;
  },
  balance: async (address, contract, decimals = ether) => {
    const call = { to: contract, data: callOf(functions.balanceOf, address) };
    const balance = await (contract ? ask('eth_call', call, 'latest') : ask('eth_getBalance', address, 'latest'));
    return shown(BigInt(balance), Number(decimals));
  },
};
console.log(await verbs[verb](...words));
