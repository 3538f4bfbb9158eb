import { join } from 'node:path';
import { powersOfTen } from '#base/decimal.ts';
import { setupFiles } from '#main/setup/configuration-text.ts';
import type { AllAnswers } from '#main/setup/setup-questions.ts';

/** Whole coins in the smallest unit of their chain, as JSON text. */
const units = (coins: number, decimals: string): string =>
  JSON.stringify(String(BigInt(coins) * powersOfTen[Number(decimals)]!));
/** Decimals of the native coins of EVM chains. */
const nativeDecimals = '18';
const thousandths = (count: number): string => JSON.stringify(String(BigInt(count) * 10n ** 15n));

/** What a custody file is made for: where it will be, and the newest block of its chain, as far as the node told it. */
export interface CustodySurroundings {
  readonly folder: string;
  readonly newestBlock: number | null;
}

/** The custody file of a new exchange: one EVM chain, paid from a hot wallet. */
export function custodyText(answers: AllAnswers, { folder, newestBlock }: CustodySurroundings): string {
  const { network, rpcUrl, chainId, quote, quoteContract, quoteDecimals, token, tokenContract, tokenDecimals } =
    answers;
  const seedFile = join(folder, setupFiles.walletSeed(network));
  return `\
// Who keeps the coins of each network: docs/operations/custody.md explains every member. Amounts are whole numbers as
// text, in the smallest unit of the chain. The address of a node may hold a key of it: keep this file to yourself.
{
  "networks": [
    {
      "kind": "evm",
      "network": ${JSON.stringify(network)},
      "rpcUrl": ${JSON.stringify(rpcUrl)},
      // A node of another chain is not listened to.
      "chainId": ${chainId},
      // The first block that is read: deposits before it are not seen. Without one, it is that after the node's first
      // answer; so name one before customers get addresses.
      "startBlock": ${newestBlock},
      // The sealed seed of the hot wallet, the gas wallet and all deposit addresses. It needs the master key; without
      // both of them the coins are lost: keep copies of each, apart.
      "keys": { "kind": "hot", "seedFile": ${JSON.stringify(seedFile)} },
      "nativeCoin": {
        // The most that leaves within an hour, and the balance from which on a deposit address is swept: 10 and 0.1.
        "perHourMax": ${units(10, nativeDecimals)},
        "sweepFrom": ${thousandths(100)},
        // What the hot wallet and the gas wallet should have at least, for an alert: 1 and 0.05.
        "hotFloor": ${thousandths(1000)},
        "gasFloor": ${thousandths(50)}
      },
      "tokens": [
        // ${quote}: 50,000 an hour at most, swept from 200 on.
        {
          "contract": ${JSON.stringify(quoteContract)},
          "perHourMax": ${units(50_000, quoteDecimals)},
          "sweepFrom": ${units(200, quoteDecimals)}
        },
        // ${token}: 5,000 an hour at most, swept from 20 on.
        {
          "contract": ${JSON.stringify(tokenContract)},
          "perHourMax": ${units(5000, tokenDecimals)},
          "sweepFrom": ${units(20, tokenDecimals)}
        }
      ]
    }
  ]
}
`;
}
