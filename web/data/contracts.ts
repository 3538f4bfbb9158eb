import { signal } from '@preact/signals';
import { ask, reasonOf } from '#web/data/rest.ts';

/** Rules of a contract, as the public API tells them. */
export interface Contract {
  readonly symbol: string;
  readonly displayNameEn: string;
  readonly baseCoin: string;
  readonly quoteCoin: string;
  readonly settleCoin: string;
  /** Of the base coin. */
  readonly contractSize: number;
  readonly maxLeverage: number;
  /** Decimals of prices. */
  readonly priceScale: number;
  readonly takerFeeRate: number;
  readonly makerFeeRate: number;
  readonly maintenanceMarginRate: number;
  readonly initialMarginRate: number;
  readonly minVol: number;
  readonly maxVol: number;
  readonly riskBaseVol: number;
  readonly riskIncrVol: number;
  readonly riskIncrMmr: number;
  readonly riskIncrImr: number;
  readonly riskLevelLimit: number;
  /** 0: traded. */
  readonly state: number;
  readonly indexOrigin: readonly string[];
}

/** Prices of a contract and its last 24 hours. */
export interface ContractTicker {
  readonly symbol: string;
  readonly lastPrice: number;
  readonly indexPrice: number;
  readonly fairPrice: number;
  readonly fundingRate: number;
  readonly high24Price: number;
  readonly lower24Price: number;
  readonly volume24: number;
  readonly amount24: number;
  /** Open interest in contracts. */
  readonly holdVol: number;
  /** A ratio. */
  readonly riseFallRate: number;
  readonly timestamp: number;
}

/** What every answer of the futures side stands in. */
interface Envelope<Data> {
  readonly success: boolean;
  readonly message?: string;
  readonly data: Data;
}

/**
 * Asks the futures side, whose refusals are answers.
 * @throws Error
 */
export async function askFutures<Data>(path: string, parameters: Record<string, string | number> = {}): Promise<Data> {
  const answer = await ask<Envelope<Data>>('GET', `/api/v1/contract/${path}`, parameters);
  if (!answer.success) throw new Error(answer.message ?? 'The futures side refused.');
  return answer.data;
}

/** All contracts; `null` until they were read. */
export const contracts = signal<readonly Contract[] | null>(null);
/** Why they could not be read. */
export const contractsFault = signal<string | null>(null);
/** Prices of contracts by name. */
export const contractTickers = signal<ReadonlyMap<string, ContractTicker>>(new Map());

const followMs = 3000;

async function readTickers(): Promise<void> {
  const found = [await askFutures<ContractTicker | readonly ContractTicker[]>('ticker')].flat();
  contractTickers.value = new Map(found.map((ticker) => [ticker.symbol, ticker]));
}

/** Reads the contracts and their prices. */
export async function readContracts(): Promise<void> {
  try {
    contracts.value = [await askFutures<Contract | readonly Contract[]>('detail')].flat();
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
