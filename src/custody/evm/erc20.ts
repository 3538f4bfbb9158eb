import type { Hex } from 'viem';
import { decodeFunctionData, encodeFunctionData, erc20Abi, isHex, toEventSelector } from 'viem';
import { decoded } from '#custody/addresses/address-format.ts';
import type { Log } from '#custody/evm/wire.ts';

/** First topic of every `Transfer(address,address,uint256)`. */
export const transferTopic = toEventSelector('Transfer(address,address,uint256)');

/** Tokens that moved; addresses are in lower case. */
export interface TokenTransfer {
  readonly contract: string;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
}

/**
 * The transfer that a log tells of; null where it tells of something else. Contracts of other standards use the same
 * first topic with other topics behind it.
 */
export function readTransfer({ address, topics, data }: Log): TokenTransfer | null {
  const [topic, from, to] = topics;
  if (topic !== transferTopic || from === undefined || to === undefined || topics.length !== 3) return null;
  if (data.length !== 66) return null;
  return { contract: address, from: topicAddress(from), to: topicAddress(to), amount: BigInt(data) };
}

const topicAddress = (topic: string): string => '0x' + topic.slice(-40);

/** Call data of `transfer(to, amount)`. */
export function transferData(to: string, amount: bigint): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [asHex(to), amount] });
}

/**
 * What call data of `transfer` says, the receiver in lower case; null where the data is another call, or anything more
 * than this one.
 */
export function readTransferCall(data: string): { readonly to: string; readonly amount: bigint } | null {
  const call = decoded(() => decodeFunctionData({ abi: erc20Abi, data: asHex(data) }));
  if (call?.functionName !== 'transfer') return null;
  const [to, amount] = call.args;
  return transferData(to, amount) === data.toLowerCase() ? { to: to.toLowerCase(), amount } : null;
}

/** Call data of `balanceOf(owner)`. */
export function balanceData(owner: string): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [asHex(owner)] });
}

/** A text that was checked to be hexadecimal, as viem wants it typed. */
export function asHex(text: string): Hex {
  if (!isHex(text)) throw new TypeError('not hexadecimal');
  return text;
}
