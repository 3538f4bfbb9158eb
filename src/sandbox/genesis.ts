import type { Command } from '#model/command.ts';
import type { PermissionSet } from '#model/permission.ts';
import type { AccountId, Uid } from '#model/units.ts';
import type { CommandIngress, Outcome } from '#sequencer/command-ingress.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';

/** What a sealed secret is bound to, so that a blob cannot be moved to another key. */
export interface SecretToSeal {
  readonly accessKey: string;
  readonly uid: Uid;
  readonly account: AccountId;
  readonly permissions: PermissionSet;
  readonly ips: readonly string[];
  readonly secret: string;
}
/** Answers the sealed form that the journal may hold. */
export type SealSecret = (key: SecretToSeal) => string | Promise<string>;

/** What opening the demo market needs of a running exchange. */
export interface DemoMarketPorts {
  readonly submit: CommandIngress['submit'];
  readonly queries: ExchangeQueries;
  readonly seal: SealSecret;
  readonly seed: string;
}

/** The engine refused a command that opens the demo market; the data directory holds something else. */
export class GenesisRefused extends Error {
  override name = 'GenesisRefused';
}

/** Submits the commands at once, so that they share journal batches. @throws GenesisRefused on a refusal. */
export async function submitAll(
  submit: CommandIngress['submit'],
  commands: readonly Command[],
): Promise<readonly Outcome[]> {
  const outcomes = await Promise.all(commands.map((command) => submit(command)));
  outcomes.forEach((outcome, index) => {
    const refusal = outcome.events.find((event) => event.kind === 'commandRefused');
    if (refusal?.kind === 'commandRefused') {
      throw new GenesisRefused(`opening the demo market: ${commands[index]?.kind} was refused (${refusal.reason})`);
    }
  });
  return outcomes;
}
