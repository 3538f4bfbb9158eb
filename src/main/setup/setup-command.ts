import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { NetworkUnavailable } from '#custody/custody.ts';
import { openKeys } from '#custody/evm/keys.ts';
import { EvmNode } from '#custody/evm/node.ts';
import { createRpc } from '#custody/evm/rpc.ts';
import { hostInUrl } from '#main/composition/ports.ts';
import { writePrivateFile } from '#main/secrets/private-file.ts';
import { createSecretSeal, masterKeySize } from '#main/secrets/secret-seal.ts';
import { makeWalletSeed } from '#main/secrets/wallet-seed.ts';
import { answerAll } from '#main/setup/ask-questions.ts';
import { configurationText, setupFiles } from '#main/setup/configuration-text.ts';
import { custodyText } from '#main/setup/custody-text.ts';
import { marketText } from '#main/setup/market-text.ts';
import { makeDirectory, refuseWhatExists } from '#main/setup/new-directory.ts';
import { type AllAnswers, type Answers, none, questionNames, questions } from '#main/setup/setup-questions.ts';
import { calledAs, quoted } from '#main/setup/shell-words.ts';
import { exitCodes } from '#operator-commands/exit-codes.ts';
import type { Work } from '#operator-commands/terminal.ts';

/** Bytes of the token that makes the others. */
const rootTokenSize = 32;
const nodeTimeoutMs = 3000;

/** Adds `bourse setup`, which makes the files that an exchange of production begins with. DEC-OPR-271. */
export function addSetupCommand(program: Command, later: (work: Work) => void): void {
  const command = program.command('setup').argument('<directory>', 'a new directory');
  command.description('make configuration, secrets, custody and market files of an exchange with real users');
  command.option('--yes', 'ask nothing: what no flag answers is as usual');
  command.option('--alone', 'one person runs the exchange');
  const flagged = questionNames.map((name) => {
    const { flag, placeholder, about } = questions[name];
    const option = new Option(`--${flag} <${placeholder}>`, about).helpGroup('Answers:');
    command.addOption(option);
    return [name, option.attributeName()] as const;
  });
  command.action((directory: string, options: Readonly<Record<string, string | boolean>>) =>
    later(async (terminal) => {
      const given = flagged.map(([name, attribute]) => [name, options[attribute]] as const);
      const flags = Object.fromEntries(given.filter(([, value]) => value !== undefined)) as Answers;
      const alone = options['alone'] === true ? { alone: 'yes' } : {};
      refuseWhatExists(resolve(directory));
      const answers = await answerAll({ flags: { ...flags, ...alone }, takesUsual: options['yes'] === true }, terminal);
      const newestBlock = await newestBlockOf(answers);
      const wallets = setUp(resolve(directory), answers, newestBlock);
      await terminal.write(whatToDo(directory, answers, { ...wallets, newestBlock }));
      return exitCodes.done;
    }),
  );
}

/** The newest block of the chain, from which on deposits are read; `null`: its node does not answer as it should. */
async function newestBlockOf({ network, rpcUrl, chainId }: AllAnswers): Promise<number | null> {
  const rpc = createRpc({ network, url: rpcUrl, timeoutMs: nodeTimeoutMs });
  try {
    const { number } = await new EvmNode({ network, chainId: Number(chainId), rpc }).head();
    return number;
  } catch (error) {
    if (error instanceof NetworkUnavailable) return null;
    throw error;
  }
}

/** Makes the directory. Answers the addresses of its hot wallet and its gas wallet. @throws CommandFailed */
function setUp(directory: string, answers: AllAnswers, newestBlock: number | null) {
  const masterKey = randomBytes(masterKeySize);
  const seal = createSecretSeal({ keys: [masterKey], nonces: 'random' });
  let seed: Uint8Array = new Uint8Array();
  makeDirectory(directory, (folder) => {
    mkdirSync(join(folder, setupFiles.secrets), { mode: 0o700 });
    const write = (file: string, text: string): void => writePrivateFile(join(folder, file), text);
    write(setupFiles.masterKey, `${masterKey.toString('hex')}\n`);
    write(setupFiles.rootToken, `${randomBytes(rootTokenSize).toString('hex')}\n`);
    seed = makeWalletSeed(join(folder, setupFiles.walletSeed(answers.network)), answers.network, seal);
    write(setupFiles.configuration, configurationText(answers, directory));
    write(setupFiles.custody, custodyText(answers, { folder: directory, newestBlock }));
    write(setupFiles.market, marketText(answers));
  });
  const { hotWallet, gasWallet } = openKeys({ kind: 'hot', seed }).spending!;
  return { hotWallet: hotWallet.address, gasWallet: gasWallet.address };
}

/** What was made, and the commands that come next. */
function whatToDo(
  directory: string,
  answers: AllAnswers,
  { hotWallet, gasWallet, newestBlock }: ReturnType<typeof setUp> & { readonly newestBlock: number | null },
): string {
  const at = (file: string): string => quoted(join(directory, file));
  const { network, nativePrice, tokenPrice, operatorHost, operatorPort } = answers;
  const config = at(setupFiles.configuration);
  const bourse = calledAs(process.argv[1]!);
  const url = `http://${hostInUrl(operatorHost)}:${operatorPort}`;
  const unpriced = [nativePrice, tokenPrice].includes(none)
    ? `
A coin has no reference price: its withdrawals wait for a review. Add one to ${setupFiles.market} at once.
`
    : '';
  const unread =
    newestBlock === null
      ? `
The node of ${network} did not answer as chain ${answers.chainId}: name startBlock in ${setupFiles.custody}
before customers get addresses.
`
      : '';
  return `${directory} has the files of a new exchange. Look at them, and change what you like:

  ${setupFiles.configuration.padEnd(22)}  settings
  ${setupFiles.custody.padEnd(22)}  the node of ${network}, and limits of the hot wallet
  ${setupFiles.market.padEnd(22)}  coins, prices, pairs, and who works at the desk
  ${setupFiles.masterKey.padEnd(22)}  seals API keys and the seed of the wallets
  ${setupFiles.walletSeed(network).padEnd(22)}  that seed, sealed
  ${setupFiles.rootToken.padEnd(22)}  makes the tokens of operators

Keep copies of the master key and of the seed, apart from each other: without both, the coins are lost.

  hot wallet  ${hotWallet}  fund it with what first withdrawals need
  gas wallet  ${gasWallet}  fund it with what sweeps of tokens cost
${unpriced}${unread}
Next:

  ${bourse} start --config ${config}
  ${bourse} doctor --config ${config}
  ${bourse} op apply ${at(setupFiles.market)} --url ${url} --token-file ${at(setupFiles.rootToken)}
`;
}
