import { toEventSelector, toFunctionSelector } from 'viem';
import { assemble, deployCode } from './assembler.ts';

/** Selector of a function that moves tokens twice, with two logs in one transaction. */
const transferTwice = 'transferTwice(address,uint256)';

/** Moves the second argument from the caller to the first, or jumps to `fail`. Leaves the stack as it was. */
const move = `
  0x24 CALLDATALOAD CALLER SLOAD                        ; balance amount
  DUP2 DUP2 LT @fail JUMPI                              ; too little
  DUP2 SWAP1 SUB CALLER SSTORE                          ; amount
  DUP1 0x04 CALLDATALOAD SLOAD ADD 0x04 CALLDATALOAD SSTORE
  0x00 MSTORE
  0x04 CALLDATALOAD CALLER ${toEventSelector('Transfer(address,address,uint256)')} 0x20 0x00 LOG3
`;

const runtime = assemble(`
  0x00 CALLDATALOAD 0xe0 SHR
  DUP1 ${toFunctionSelector('balanceOf(address)')} EQ @balanceOf JUMPI
  DUP1 ${toFunctionSelector('transfer(address,uint256)')} EQ @transfer JUMPI
  DUP1 ${toFunctionSelector(transferTwice)} EQ @transferTwice JUMPI
  :fail 0x00 0x00 REVERT
  :balanceOf 0x04 CALLDATALOAD SLOAD 0x00 MSTORE 0x20 0x00 RETURN
  :transferTwice ${move}
  :transfer ${move}
  0x01 0x00 MSTORE 0x20 0x00 RETURN
`);

/** Code that deploys the token of test-token.sol, all of it for whoever deploys it. */
export const testTokenCode = deployCode(`0x${(10n ** 24n).toString(16).padStart(22, '0')} CALLER SSTORE`, runtime);

/** A contract that passes ether on to the address in its call data: an internal call. */
export const forwarderCode =
  '0x' + Buffer.from(assemble('0x00 0x00 0x00 0x00 CALLVALUE 0x00 CALLDATALOAD GAS CALL')).toString('hex');

/** A token of which everybody has 2^128 and nobody can move any. */
export const frozenTokenCode =
  '0x' +
  Buffer.from(
    assemble(`
      0x00 CALLDATALOAD 0xe0 SHR ${toFunctionSelector('balanceOf(address)')} EQ @balanceOf JUMPI
      0x00 0x00 REVERT
      :balanceOf 0x${(2n ** 128n).toString(16).padStart(34, '0')} 0x00 MSTORE 0x20 0x00 RETURN
    `),
  ).toString('hex');

/** Call data that moves `amount` to `to` twice. */
export const transferTwiceData = (to: string, amount: bigint): string =>
  toFunctionSelector(transferTwice) + to.slice(2).padStart(64, '0') + amount.toString(16).padStart(64, '0');

/** Storage slot with the balance of an address. */
export const balanceSlot = (owner: string): string => '0x' + owner.slice(2).toLowerCase().padStart(64, '0');
