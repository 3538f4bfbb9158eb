import type { BourseClient, ClientOptions } from '#client/client.ts';
import { runInOwnThread } from '#testing/exchange-thread.ts';
import { operatorCalls } from '#testing/operator-client.ts';
import { runExchange } from '#testing/run-exchange.ts';
import type { ExchangeFacts, TestExchange, TestExchangeOptions } from '#testing/test-exchange.ts';

/**
 * Starts an exchange for a test in this process: a sandbox on free ports of this machine, with a directory for itself
 * that goes with it. It reads no variables, takes no signals and writes no lines; many may run side by side.
 * DEC-KIT-80.
 * @throws TypeError where an option is unknown, ConfigurationRefused where the value of one cannot be used
 */
export async function startBourse(options: TestExchangeOptions = {}): Promise<TestExchange> {
  const { thread = false, ...rest } = options;
  // Loaded here alone: the command that starts exchanges for scenarios has to do without until then.
  const { BourseClient: Client } = await import('#client/client.ts');
  const { facts, restart, ...running } = await (thread ? runInOwnThread(rest) : runExchange(rest));
  const clients: BourseClient[] = [];
  const client: TestExchange['client'] = (account, how) => {
    const made = new Client({ ...clientOptionsOf(facts, account), ...how });
    clients.push(made);
    return made;
  };
  const close = async (): Promise<void> => {
    for (const each of clients.splice(0)) await each.close();
    await running.close();
  };
  const operator = operatorCalls({ url: facts.operatorUrl, token: facts.operatorToken });
  return { ...facts, operator, client, restart, close, [Symbol.asyncDispose]: close };
}

/** What a client of an account needs. @throws TypeError where there is no account of that name */
function clientOptionsOf(
  { baseUrl, futuresBaseUrl, wsUrl, accounts }: ExchangeFacts,
  account: Parameters<TestExchange['client']>[0],
): ClientOptions {
  const key = typeof account === 'string' ? accounts[account] : account;
  if (typeof account === 'string' && !Object.hasOwn(accounts, account))
    throw new TypeError(`there is no account ${account}`);
  const { apiKey, secretKey } = key ?? {};
  return { baseUrl, futuresBaseUrl, wsUrl, apiKey, secretKey };
}
