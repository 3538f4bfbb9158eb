import type { Command } from 'commander';
import { resolve } from 'node:path';
import { exitCodes, usedWrongly } from '#operator-commands/exit-codes.ts';
import {
  exchangeNamePattern,
  exchangesMax,
  exchangesPath,
  readExchanges,
  writeExchanges,
} from '#operator-commands/exchanges-file.ts';
import type { Surroundings } from '#operator-commands/surroundings.ts';
import type { Terminal, Work } from '#operator-commands/terminal.ts';
import { TextTable } from '#operator-commands/text-table.ts';
import { checkedUrl, tokenIn } from '#operator-commands/whom-to-ask.ts';

interface ExchangesOptions {
  readonly surroundings: Surroundings;
  readonly later: (work: Work) => void;
}

/** Adds `bourse op exchanges`: names for addresses and token files. DEC-OPR-267. */
export function addExchangesCommands(op: Command, { surroundings, later }: ExchangesOptions): void {
  const exchanges = op
    .command('exchanges')
    .description('exchanges by name: where each is, and which file has the token');
  exchanges.helpCommand(false);
  const add = exchanges.command('add').description('keep an address and a token file under a name, or replace them');
  add.argument('<name>', 'lower-case letters, digits, ".", "_" and "-"');
  add.requiredOption('--url <url>', 'address of its operator API');
  add.requiredOption('--token-file <file>', 'file with the token, which nobody else may read (mode 0600)');
  add.action((name: string, options: NewExchange) => later(async (terminal) => addExchange(name, options, terminal)));
  const list = exchanges.command('list').description('list them; the one in use has a star');
  list.option('--json', 'the file as it is, for programs');
  list.action(({ json }: { readonly json?: boolean }) => later((terminal) => listExchanges(json === true, terminal)));
  const use = exchanges.command('use').description('ask this one where none is named').argument('<name>', 'its name');
  use.action((name: string) => later(async () => useExchange(name)));
  const remove = exchanges.command('remove').description('forget a name; the token file stays');
  remove.argument('<name>', 'its name').action((name: string) => later(async () => removeExchange(name)));

  interface NewExchange {
    readonly url: string;
    readonly tokenFile: string;
  }

  function addExchange(name: string, { url, tokenFile }: NewExchange, terminal: Terminal): number {
    if (!exchangeNamePattern.test(name))
      throw usedWrongly(
        'the name must be 1 to 32 lower-case letters, digits, ".", "_" or "-", a letter or digit first',
      );
    const before = readExchanges(surroundings);
    const path = resolve(tokenFile);
    tokenIn(path, '--token-file', surroundings);
    const named = { ...before.exchanges, [name]: { url: checkedUrl(url, '--url'), tokenFile: path } };
    if (Object.keys(named).length > exchangesMax) throw usedWrongly(`at most ${exchangesMax} exchanges have names`);
    writeExchanges(surroundings, { inUse: before.inUse ?? name, exchanges: named });
    if (isReadableOnTheWay(named[name]!.url))
      terminal.tell('The token is sent unencrypted to another machine: https:// hides it.\n');
    return exitCodes.done;
  }

  async function listExchanges(isJson: boolean, terminal: Terminal): Promise<number> {
    const all = readExchanges(surroundings);
    if (isJson) await terminal.write(`${JSON.stringify(all, null, 2)}\n`);
    const rows = Object.entries(all.exchanges)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, { url, tokenFile }]) => [name === all.inUse ? '*' : '', name, url, tokenFile]);
    if (!isJson && rows.length > 0) await terminal.write(new TextTable(['', 'name', 'url', 'token file']).add(rows));
    if (rows.length === 0) terminal.tell(`none yet, in ${exchangesPath(surroundings)}\n`);
    return exitCodes.done;
  }

  /** What the file holds. @throws CommandFailed unless it has this name. */
  function known(name: string) {
    const all = readExchanges(surroundings);
    if (!Object.hasOwn(all.exchanges, name)) throw usedWrongly(`there is no exchange "${name}"`);
    return all;
  }

  function useExchange(name: string): number {
    writeExchanges(surroundings, { ...known(name), inUse: name });
    return exitCodes.done;
  }

  function removeExchange(name: string): number {
    const { inUse, exchanges: all } = known(name);
    const rest = Object.fromEntries(Object.entries(all).filter(([each]) => each !== name));
    writeExchanges(surroundings, { inUse: inUse === name ? null : inUse, exchanges: rest });
    return exitCodes.done;
  }
}

/** Whether a token goes over a network as text that others can read. */
function isReadableOnTheWay(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !/^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
