import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import { canonicalAddress, checkAddress, deriveAddress, readDepositKey } from '#custody/addresses/addresses.ts';
import { addressIndexLimit } from '#custody/addresses/extended-key.ts';
import type { Network } from '#custody/addresses/networks.ts';
import { networkCodes } from '#custody/addresses/networks.ts';

/** Addresses that `bourse custody address` prints at most. */
const countMax = 1000;

/** Exit codes: 0 done or payable, 1 not payable, 2 used wrongly. */
const exitCodes = { done: 0, notPayable: 1, usage: 2 } as const;

type Tell = (answer: { readonly exit: number; readonly text: string }) => void;

interface AddressOptions {
  readonly network: Network;
  readonly key: string;
  readonly from: number;
  readonly count: number;
}

interface CheckOptions {
  readonly network: Network;
  readonly memo?: string;
}

/**
 * Adds `bourse custody` with `address` and `check`, and answers it, for commands that need more. These two only
 * compute: they need no data directory, no configuration and no chain. `tell` gets what to print and the exit code.
 */
export function addCustodyCommands(program: Command, tell: Tell): Command {
  const custody = program.command('custody').description('make keys, derive and check addresses of real chains');
  const network = () => new Option('--network <code>', 'network').choices(networkCodes).makeOptionMandatory();

  const address = custody
    .command('address')
    .description('print the deposit addresses that an extended public key gives');
  address.addOption(network());
  address.requiredOption('--key <key>', 'extended public key of an account (xpub, ypub or zpub)');
  address.option('--from <index>', 'index of the first address', wholeNumber(0, addressIndexLimit - 1), 0);
  address.option('--count <count>', `addresses to print, at most ${countMax}`, wholeNumber(1, countMax), 5);
  address.action((options: AddressOptions) => tell(printAddresses(options)));

  const check = custody.command('check').description('say whether an address can be paid; exit code 1 if not');
  check.argument('<address>', 'address to check').addOption(network());
  check.option('--memo <memo>', 'memo or destination tag that the payment carries');
  check.action((text: string, options: CheckOptions) => tell(judgeAddress(text, options)));
  return custody;
}

function printAddresses({ network, key: text, from, count }: AddressOptions) {
  const key = readDepositKey(network, text);
  if ('fault' in key) return { exit: exitCodes.usage, text: `bourse: ${key.fault}\n` };
  const end = Math.min(from + count, addressIndexLimit);
  let lines = '';
  for (let index = from; index < end; index += 1) lines += `0/${index}  ${deriveAddress(network, key, index)}\n`;
  return { exit: exitCodes.done, text: lines };
}

function judgeAddress(address: string, { network, memo }: CheckOptions) {
  const fault = checkAddress(network, address, memo ?? null);
  if (fault === null) return { exit: exitCodes.done, text: `payable: ${canonicalAddress(network, address)}\n` };
  return { exit: exitCodes.notPayable, text: `not payable: the ${fault.part} ${fault.reason}\n` };
}

function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : -1;
    if (value < min || value > max) throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return value;
  };
}
