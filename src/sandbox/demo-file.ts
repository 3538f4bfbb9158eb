import { join } from 'node:path';
import type { DemoKey } from '#sandbox/demo-accounts.ts';
import { writePrivateFile } from '#sandbox/private-file.ts';

/** Where a running sandbox is reached. */
export interface SandboxAddresses {
  readonly baseUrl: string;
  readonly futuresBaseUrl: string;
  /** With its path, `/ws`. */
  readonly wsUrl: string;
  readonly operatorUrl: string;
}

/** What `DATA/demo.json` holds. */
export interface DemoFile {
  readonly base_url: string;
  readonly futures_base_url: string;
  readonly ws_url: string;
  readonly operator_url: string;
  readonly operator_token: string;
  readonly accounts: readonly {
    readonly name: string;
    readonly uid: string;
    readonly role: string;
    readonly apiKey: string;
    readonly secretKey: string;
  }[];
}

/** The demo file with these keys; their secrets are made from the seed, never read back from the exchange. */
export function demoFile(keys: readonly DemoKey[], addresses: SandboxAddresses, operatorToken: string): DemoFile {
  return {
    base_url: addresses.baseUrl,
    futures_base_url: addresses.futuresBaseUrl,
    ws_url: addresses.wsUrl,
    operator_url: addresses.operatorUrl,
    operator_token: operatorToken,
    accounts: keys.map((key) => ({
      name: key.name,
      uid: String(key.uid),
      role: key.role,
      apiKey: key.accessKey,
      secretKey: key.secretKey,
    })),
  };
}

/** Writes `DATA/demo.json` with mode 0600, whole or not at all. Answers its path. */
export async function writeDemoFile(dataDirectory: string, content: DemoFile): Promise<string> {
  const path = join(dataDirectory, 'demo.json');
  await writePrivateFile(path, `${JSON.stringify(content, null, 2)}\n`);
  return path;
}
