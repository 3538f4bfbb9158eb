import { z } from 'zod';
import { canonicalAddress } from '#custody/addresses/addresses.ts';
import { evmNetworkCodes, type Network } from '#custody/addresses/networks.ts';
import { engineLimits } from '#model/limits.ts';
import { personOf, rootPerson } from '#model/person.ts';
import { catalogue } from '#operator-api/catalogue.ts';
import { settings, type SettingName } from '#main/configuration-schema.ts';

/*
 * What `bourse setup` asks, in this order. Each question has a flag, so that a script can answer it. DEC-OPR-271.
 */

/** Names of the questions, in the order in which they are asked. */
export const questionNames = [
  ...(['persons', 'host', 'port', 'operatorHost', 'operatorPort', 'trustedProxies', 'allowedOrigins', 'data'] as const),
  ...(['network', 'rpcUrl', 'chainId', 'confirmations', 'quote', 'quoteContract', 'quoteDecimals'] as const),
  ...(['token', 'tokenContract', 'tokenDecimals', 'nativePrice', 'tokenPrice'] as const),
] as const;
export type Asked = (typeof questionNames)[number];
/** Besides, whether one person is `alone`: `yes` or `no`. */
type QuestionName = Asked | 'alone';

/** Answers so far, by the name of their question; a question may look at earlier ones. */
export type Answers = Readonly<Partial<Record<QuestionName, string>>>;

/** One question. Answers are text, as they are typed. */
interface Question {
  /** Without dashes. */
  readonly flag: string;
  readonly placeholder: string;
  /** What it asks, as the help and the prompt say it. */
  readonly about: string;
  /** What an empty answer means; `null`: it must be answered. */
  readonly usual: (answers: Answers) => string | null;
  /** What is wrong with an answer, as a clause that begins with `must`; `null`: nothing. */
  readonly fault: (answer: string, answers: Answers) => string | null;
}

/** What stands for no price, no proxy and the like. */
export const none = 'none';

const faultBy =
  (schema: z.ZodType, read: (text: string) => unknown = (text) => text) =>
  (answer: string): string | null => {
    const parsed = schema.safeParse(read(answer));
    return parsed.success ? null : parsed.error.issues[0]!.message;
  };
const wholeOf = (text: string): unknown => (/^\d{1,15}$/.test(text) ? Number(text) : text);
/** Members of a list, which is separated by commas. */
export const listOf = (text: string): readonly string[] =>
  text === none ? [] : text.split(',').map((each) => each.trim());

/** A question about a setting of the exchange. */
function aboutSetting(name: SettingName, about: string, usual: string, least = 0): Question {
  const { notation, schema } = settings[name];
  const read = notation === 'whole' ? wholeOf : notation === 'list' ? listOf : (text: string) => text;
  const fault = faultBy(schema, read);
  return {
    flag: name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    placeholder: settings[name].placeholder,
    about,
    usual: () => usual,
    fault: (answer) =>
      fault(answer) ?? (notation === 'whole' && Number(answer) < least ? `must be at least ${least}` : null),
  };
}

const personFault = faultBy(catalogue.createToken.body.shape.actor);

function personsFault(answer: string, { alone }: Answers): string | null {
  const persons = listOf(answer);
  const count = alone === 'yes' ? 1 : 2;
  if (persons.length !== count) return count === 1 ? 'must be one name' : 'must be two names, separated by a comma';
  const fault = persons.map(personFault).find((each) => each !== null);
  if (fault !== undefined) return fault;
  if (persons.some((name) => personOf(name) === rootPerson)) return 'must not be root, who makes tokens';
  return new Set(persons.map(personOf)).size === count ? null : 'must be the names of two persons';
}

const networkOf = ({ network }: Answers): Network => (network ?? 'ETH') as Network;
/** The native coin of a network. */
export const nativeCoinOf = (answers: Answers): string => (networkOf(answers) === 'BSC' ? 'BNB' : 'ETH');

/** Contracts and decimals of coins of the main chain of Ethereum. */
const knownTokens: Readonly<Record<string, { readonly contract: string; readonly decimals: number }>> = {
  USDT: { contract: '0xdAC17F958D2ee523a2206206994597C13D831ec7', decimals: 6 },
  LINK: { contract: '0x514910771AF9Ca656af840dff83E8264EcF986CA', decimals: 18 },
};
const mainChain = '1';
const knownToken = ({ chainId }: Answers, code: string | undefined) =>
  chainId === mainChain ? (knownTokens[code ?? ''] ?? null) : null;

const assetFault = (taken: (answers: Answers) => readonly (string | undefined)[]) => {
  const fault = faultBy(catalogue.putAsset.parameters.shape.asset);
  return (answer: string, answers: Answers): string | null =>
    fault(answer) ?? (taken(answers).includes(answer) ? 'must be another coin' : null);
};
function contractFault(answer: string, answers: Answers): string | null {
  return canonicalAddress(networkOf(answers), answer) === null
    ? `must be the address of its contract on ${networkOf(answers)}`
    : null;
}
const priceSchema = catalogue.putReferencePrice.body.shape.price;
function priceFault(answer: string): string | null {
  if (answer === none) return null;
  return faultBy(priceSchema)(answer) ?? (/[1-9]/.test(answer) ? null : 'must be above zero');
}
const chainDecimals = z.int('must be a whole number').min(2, 'must be 2 to 36').max(36, 'must be 2 to 36');
const confirmations = z
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(engineLimits.minConfirmMax, `must be at most ${engineLimits.minConfirmMax}`);
const nodeAddress = z
  .url({ protocol: /^https?$/, error: 'must be the address of a node, http:// or https://' })
  // Everybody on this machine can read what stands on a command line.
  .refine((url) => !/^[^/]*\/\/[^/]*@/.test(url), 'must not hold a password: write it into the custody file');

/** The questions by name. */
export const questions: Readonly<Record<Asked, Question>> = {
  persons: {
    flag: 'persons',
    placeholder: 'names',
    about: 'Who works at the desk: two persons, of whom each checks the other (with --alone: one)',
    usual: ({ alone }) => (alone === 'yes' ? 'first' : 'first,second'),
    fault: personsFault,
  },
  host: aboutSetting(
    'host',
    'Address that customers’ requests arrive at; behind a proxy that of this machine',
    '127.0.0.1',
  ),
  port: aboutSetting('port', 'Port of the public API', '8080', 1),
  operatorHost: aboutSetting('operatorHost', 'Address that operators’ requests arrive at', '127.0.0.1'),
  operatorPort: aboutSetting('operatorPort', 'Port of the operator API', '8081', 1),
  trustedProxies: aboutSetting(
    'trustedProxies',
    'Addresses of the proxies in front, separated by commas, or none',
    none,
  ),
  allowedOrigins: aboutSetting('allowedOrigins', 'Origins of your web pages, separated by commas, or none: any', none),
  data: {
    flag: 'data',
    placeholder: 'directory',
    about: 'Directory of everything that must survive',
    usual: () => 'data',
    fault: (answer) => (answer === '' ? 'must not be empty' : null),
  },
  network: {
    flag: 'network',
    placeholder: 'code',
    about: `EVM chain that the coins live on: ${evmNetworkCodes.join(' or ')}`,
    usual: () => 'ETH',
    fault: (answer) =>
      evmNetworkCodes.some((code) => code === answer) ? null : `must be one of ${evmNetworkCodes.join(', ')}`,
  },
  rpcUrl: {
    flag: 'rpc-url',
    placeholder: 'url',
    about: 'Address of your node of it',
    usual: () => 'http://127.0.0.1:8545',
    fault: faultBy(nodeAddress),
  },
  chainId: {
    flag: 'chain-id',
    placeholder: 'id',
    about: 'Its chain id; 31337 is that of a development node',
    usual: (answers) => (networkOf(answers) === 'BSC' ? '56' : mainChain),
    fault: (answer) => (/^[1-9]\d{0,14}$/.test(answer) ? null : 'must be a whole number'),
  },
  confirmations: {
    flag: 'confirmations',
    placeholder: 'n',
    about: 'Blocks after which a deposit is credited',
    usual: () => '12',
    fault: faultBy(confirmations, wholeOf),
  },
  quote: {
    flag: 'quote',
    placeholder: 'code',
    about: 'Token that prices and limits are in',
    usual: () => 'USDT',
    fault: assetFault((answers) => [nativeCoinOf(answers)]),
  },
  quoteContract: {
    flag: 'quote-contract',
    placeholder: 'address',
    about: 'Its contract',
    usual: (answers) => knownToken(answers, answers.quote)?.contract ?? null,
    fault: contractFault,
  },
  quoteDecimals: {
    flag: 'quote-decimals',
    placeholder: 'n',
    about: 'Decimals of that contract',
    usual: (answers) => String(knownToken(answers, answers.quote)?.decimals ?? 6),
    fault: faultBy(chainDecimals, wholeOf),
  },
  token: {
    flag: 'token',
    placeholder: 'code',
    about: 'One more token to trade',
    usual: () => 'LINK',
    fault: assetFault((answers) => [nativeCoinOf(answers), answers.quote]),
  },
  tokenContract: {
    flag: 'token-contract',
    placeholder: 'address',
    about: 'Its contract',
    usual: (answers) => knownToken(answers, answers.token)?.contract ?? null,
    fault: (answer, answers) =>
      contractFault(answer, answers) ??
      (answer.toLowerCase() === answers.quoteContract?.toLowerCase() ? 'must be another contract' : null),
  },
  tokenDecimals: {
    flag: 'token-decimals',
    placeholder: 'n',
    about: 'Decimals of that contract',
    usual: (answers) => String(knownToken(answers, answers.token)?.decimals ?? 18),
    fault: faultBy(chainDecimals, wholeOf),
  },
  nativePrice: {
    flag: 'native-price',
    placeholder: 'price',
    about:
      'What a native coin is worth in the quote token, for holds and caps; none: its withdrawals wait for a review',
    usual: () => none,
    fault: priceFault,
  },
  tokenPrice: {
    flag: 'token-price',
    placeholder: 'price',
    about: 'The same of the other token',
    usual: () => none,
    fault: priceFault,
  },
};
/** An answer to each question. */
export type AllAnswers = Readonly<Record<QuestionName, string>>;
