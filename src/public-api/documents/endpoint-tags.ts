import type { AnyEndpoint, EndpointGroup } from '#public-api/declaration/endpoint.ts';
import { endpointGroups } from '#public-api/declaration/endpoint.ts';

/** A group of endpoints as documents show it. */
export interface EndpointTag {
  readonly name: string;
  readonly description: string;
}

const groupTags: Readonly<Record<EndpointGroup, EndpointTag>> = {
  market: { name: 'Market data', description: 'Order books, trades, candles and tickers. No key is needed.' },
  trading: { name: 'Trading', description: 'Place, cancel and look up orders, and the trades that came of them.' },
  account: { name: 'Account', description: 'Balances, fees and what the account may do.' },
  wallet: { name: 'Wallet', description: 'Assets, and the networks that they are moved over.' },
  subAccounts: {
    name: 'Sub-accounts',
    description: 'Sub-accounts of a master: opening them, their keys, transfers, and groups that do not trade.',
  },
  broker: { name: 'Broker', description: 'Customers of a broker: accounts, keys, deposits, withdrawals, transfers.' },
  rebates: { name: 'Rebates', description: 'What inviters earn from the commissions of those they invited.' },
  listenKeys: { name: 'User data stream', description: 'Listen keys: they open private channels on the websocket.' },
  futures: { name: 'Futures', description: 'Public data of futures contracts.' },
};
const compatibilityTag: EndpointTag = {
  name: 'Compatibility',
  description: 'Other paths of endpoints above, for existing client libraries.',
};

/** Every tag, in the order of documents: groups first, then repeated endpoints. */
export const tags: readonly EndpointTag[] = [...endpointGroups.map((group) => groupTags[group]), compatibilityTag];

/** Name of the tag that an endpoint stands under. */
export const tagOf = ({ aliasOf, group }: AnyEndpoint): string =>
  (aliasOf === undefined ? groupTags[group] : compatibilityTag).name;

/** Description of an endpoint: its sentence, then its notes. */
export const descriptionOf = ({ summary, notes }: AnyEndpoint): string =>
  notes === undefined ? summary : `${summary} ${notes}`;
