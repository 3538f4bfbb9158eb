import { signal } from '@preact/signals';
import type { AnswerOf } from '#client/client.ts';
import { publicClient } from '#web/data/clients.ts';
import { reasonOf } from '#web/data/refusal.ts';

type OneOf<Answer> = Extract<Answer, { readonly symbol: string }>;

/** Rules of a contract, as the public API tells them. */
export type Contract = OneOf<AnswerOf<'futuresContracts'>>;

/** Prices of a contract and its last 24 hours. */
export type ContractTicker = OneOf<AnswerOf<'futuresTicker'>>;

/** All contracts; `null` until they were read. */
export const contracts = signal<readonly Contract[] | null>(null);
/** Why they could not be read. */
export const contractsFault = signal<string | null>(null);
/** Prices of contracts by name. */
export const contractTickers = signal<ReadonlyMap<string, ContractTicker>>(new Map());

const followMs = 3000;

async function readTickers(): Promise<void> {
  const found = [await publicClient.futuresTicker()].flat();
  contractTickers.value = new Map(found.map((ticker) => [ticker.symbol, ticker]));
}

/** Reads the contracts and their prices. */
export async function readContracts(): Promise<void> {
  try {
    contracts.value = [await publicClient.futuresContracts()].flat();
    await readTickers();
    contractsFault.value = null;
  } catch (error) {
    contractsFault.value = reasonOf(error);
  }
}

/** Reads the contracts, and their prices every few seconds while somebody looks, until the function is called. */
export function followContracts(): () => void {
  void readContracts();
  const timer = setInterval(() => {
    if (document.hidden) return;
    readTickers().then(
      () => {
        contractsFault.value = null;
      },
      (error: unknown) => {
        contractsFault.value = reasonOf(error);
      },
    );
  }, followMs);
  return () => clearInterval(timer);
}
