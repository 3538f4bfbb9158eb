import type { Command } from 'commander';
import { join } from 'node:path';
import { z } from 'zod';
import { usedWrongly } from '#operator-commands/exit-codes.ts';
import { readExchanges } from '#operator-commands/exchanges-file.ts';
import { checkedToken, type ExchangeAddress } from '#operator-commands/operator-client.ts';
import type { Surroundings } from '#operator-commands/surroundings.ts';

/** How a command was told which exchange to ask. */
export interface AddressOptions {
  readonly url?: string;
  readonly tokenFile?: string;
  readonly exchange?: string;
  readonly data?: string;
}

/** Where an operator port listens unless it is told otherwise. */
const usualUrl = 'http://127.0.0.1:8081';

const group = 'Which exchange:';

/** Adds the options that say which exchange is asked. */
export function addAddressOptions(command: Command): void {
  const options = [
    ['--exchange <name>', 'one of those that bourse op exchanges lists'],
    ['--url <url>', 'address of the operator API (BOURSE_OPERATOR_URL)'],
    ['--token-file <file>', 'file with the token, mode 0600 (BOURSE_OPERATOR_TOKEN_FILE, BOURSE_OPERATOR_TOKEN)'],
    ['--data <directory>', 'data directory of a sandbox, whose demo.json tells both (BOURSE_DATA, else ./data)'],
  ] as const;
  for (const [flags, description] of options) {
    const option = command.createOption(flags, description).helpGroup(group);
    // The settings of a start have the data directory too.
    if (!command.options.some(({ long }) => long === option.long)) command.addOption(option);
  }
}

/**
 * Which exchange a command asks, and with which token. The first of these that says something decides: `--exchange`,
 * `--url`, `--data`, the environment, the exchange in use, the sandbox in `./data`. A token goes only to the address
 * that it was given with, or that the caller named. DEC-OPR-262.
 * @throws CommandFailed where that is not clear.
 */
export function whomToAsk(options: AddressOptions, surroundings: Surroundings): ExchangeAddress {
  const { environment } = surroundings;
  if (options.exchange !== undefined) {
    if (options.url !== undefined) throw usedWrongly('give --exchange or --url, not both');
    return namedExchange(options.exchange, options.tokenFile, surroundings);
  }
  const token = () => givenToken(options, surroundings);
  if (options.url !== undefined) return addressOf(options.url, '--url', token());
  const demo = readDemo(options.data ?? (environment['BOURSE_DATA'] || 'data'), surroundings);
  if (options.data !== undefined && demo !== null) return addressOf(demo.url, 'demo.json', ownToken() ?? demo.token);
  const url = environment['BOURSE_OPERATOR_URL'];
  if (url) return addressOf(url, 'BOURSE_OPERATOR_URL', token());
  const given = token();
  if (given !== null) return addressOf(demo?.url ?? usualUrl, 'demo.json', given);
  const { inUse } = readExchanges(surroundings);
  if (inUse !== null) return namedExchange(inUse, undefined, surroundings);
  if (demo !== null) return addressOf(demo.url, 'demo.json', demo.token);
  throw usedWrongly(
    'no exchange to ask: give --exchange, or --url with --token-file, or --data of a sandbox; ' +
      'bourse op exchanges add keeps address and token file under a name',
  );

  function ownToken(): string | null {
    return options.tokenFile === undefined ? null : token();
  }
}

/** The token of `--token-file`, else of the environment; `null`: none was given. */
function givenToken({ tokenFile }: AddressOptions, surroundings: Surroundings): string | null {
  if (tokenFile !== undefined) return tokenIn(tokenFile, '--token-file', surroundings);
  const { environment } = surroundings;
  const token = environment['BOURSE_OPERATOR_TOKEN'];
  if (token) return checkedToken(token, 'BOURSE_OPERATOR_TOKEN');
  const path = environment['BOURSE_OPERATOR_TOKEN_FILE'];
  return path ? tokenIn(path, 'BOURSE_OPERATOR_TOKEN_FILE', surroundings) : null;
}

/** The token that a file holds. @throws CommandFailed where others may read it. */
export function tokenIn(path: string, origin: string, { readPrivateFile }: Surroundings): string {
  let text: string;
  try {
    text = readPrivateFile(path);
  } catch (error) {
    throw usedWrongly(`${origin} ${path}: ${(error as Error).message}`);
  }
  return checkedToken(text, `${origin} ${path}`);
}

function namedExchange(name: string, tokenFile: string | undefined, surroundings: Surroundings): ExchangeAddress {
  const { exchanges } = readExchanges(surroundings);
  const named = Object.hasOwn(exchanges, name) ? exchanges[name] : undefined;
  if (named === undefined) {
    const names = Object.keys(exchanges).sort().join(', ') || 'none';
    throw usedWrongly(`there is no exchange "${name}"; there are: ${names}`);
  }
  const token = tokenIn(tokenFile ?? named.tokenFile, tokenFile === undefined ? name : '--token-file', surroundings);
  return { ...addressOf(named.url, name, token), name };
}

function addressOf(url: string, origin: string, token: string | null): ExchangeAddress {
  const address = checkedUrl(url, origin);
  if (token === null)
    throw usedWrongly(
      `no token for ${address}: give --token-file, BOURSE_OPERATOR_TOKEN_FILE or BOURSE_OPERATOR_TOKEN`,
    );
  return { url: address, token, name: address };
}

/** An address of http or https without what no operator API has, and without a slash at its end. */
export function checkedUrl(text: string, origin: string): string {
  const url = URL.parse(text);
  const isUsable = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (!isUsable || url.search !== '' || url.hash !== '')
    throw usedWrongly(`${origin}: ${url?.password ? 'the address' : text} is no plain http:// or https:// address`);
  return url.href.replace(/\/+$/, '');
}

const demoFile = z.object({ operator_url: z.string(), operator_token: z.string() });

/** What a sandbox wrote into its directory; `null`: nothing that can be used. */
export function readDemo(
  directory: string,
  { readFile }: Pick<Surroundings, 'readFile'>,
): { readonly url: string; readonly token: string } | null {
  try {
    const { operator_url: url, operator_token: token } = demoFile.parse(
      JSON.parse(readFile(join(directory, 'demo.json'))),
    );
    return { url, token };
  } catch {
    return null;
  }
}
