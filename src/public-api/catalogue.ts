import { accountAliases, accountEndpoints } from '#public-api/accounts/account-endpoints.ts';
import { brokerSubAccountEndpoints } from '#public-api/broker/sub-account-endpoints.ts';
import { brokerRebateEndpoints, brokerTransferEndpoints } from '#public-api/broker/transfer-endpoints.ts';
import { brokerWalletEndpoints } from '#public-api/broker/wallet-endpoints.ts';
import { affiliateEndpoints } from '#public-api/rebates/affiliate-endpoints.ts';
import { futuresEndpoints, futuresFundAliases, futuresFundEndpoints } from '#public-api/futures/futures-endpoints.ts';
import { futuresMarketEndpoints } from '#public-api/futures/market-endpoints.ts';
import { futuresCandleEndpoints, futuresPriceEndpoints } from '#public-api/futures/price-endpoints.ts';
import { listenKeyEndpoints } from '#public-api/accounts/listen-key-endpoints.ts';
import { marketAliases, marketEndpoints } from '#public-api/spot/market-endpoints.ts';
import {
  cancelEndpoints,
  orderAliases,
  orderQueryEndpoints,
  placingEndpoints,
} from '#public-api/spot/order-endpoints.ts';
import { stpGroupEndpoints } from '#public-api/accounts/stp-group-endpoints.ts';
import { subAccountEndpoints, universalTransferEndpoints } from '#public-api/accounts/sub-account-endpoints.ts';
import { rebateEndpoints } from '#public-api/rebates/rebate-endpoints.ts';
import { walletCoinEndpoints } from '#public-api/wallet/coin-endpoints.ts';
import { walletDepositEndpoints } from '#public-api/wallet/deposit-endpoints.ts';
import { walletDustEndpoints } from '#public-api/wallet/dust-endpoints.ts';
import { walletSendEndpoints, walletTransferEndpoints } from '#public-api/wallet/transfer-endpoints.ts';
import { walletWithdrawalEndpoints } from '#public-api/wallet/withdrawal-endpoints.ts';
import { catalogueOf } from '#http/declared-endpoint.ts';

/** Groups of endpoints, in the order of the documents. */
export const groups = [
  {
    name: 'Market data',
    description: 'Order books, trades, candles and tickers. No key is needed.',
    endpoints: marketEndpoints,
  },
  {
    name: 'Trading',
    description: 'Place, cancel and look up orders, and the trades that came of them.',
    endpoints: { ...placingEndpoints, ...cancelEndpoints, ...orderQueryEndpoints },
  },
  { name: 'Account', description: 'Balances, fees and what the account may do.', endpoints: accountEndpoints },
  {
    name: 'Wallet',
    description: 'Assets, and the networks that they are moved over.',
    endpoints: {
      ...walletCoinEndpoints,
      ...walletWithdrawalEndpoints,
      ...walletDepositEndpoints,
      ...walletTransferEndpoints,
      ...walletDustEndpoints,
      ...walletSendEndpoints,
    },
  },
  {
    name: 'Sub-accounts',
    description: 'Sub-accounts of a master: opening them, their keys, transfers, and groups that do not trade.',
    endpoints: { ...stpGroupEndpoints, ...subAccountEndpoints, ...universalTransferEndpoints },
  },
  {
    name: 'Broker',
    description: 'Customers of a broker: accounts, keys, deposits, withdrawals, transfers.',
    endpoints: {
      ...brokerSubAccountEndpoints,
      ...brokerWalletEndpoints,
      ...brokerTransferEndpoints,
      ...brokerRebateEndpoints,
    },
  },
  {
    name: 'Rebates',
    description: 'What inviters earn from the commissions of those they invited.',
    endpoints: { ...rebateEndpoints, ...affiliateEndpoints },
  },
  {
    name: 'User data stream',
    description: 'Listen keys: they open private channels on the websocket.',
    endpoints: listenKeyEndpoints,
  },
  {
    name: 'Futures',
    description: 'Public data of futures contracts.',
    endpoints: {
      ...futuresEndpoints,
      ...futuresMarketEndpoints,
      ...futuresPriceEndpoints,
      ...futuresCandleEndpoints,
      ...futuresFundEndpoints,
    },
  },
  {
    name: 'Compatibility',
    description: 'Other paths of endpoints above, for existing client libraries.',
    endpoints: { ...marketAliases, ...orderAliases, ...accountAliases, ...futuresFundAliases },
  },
] as const;

/**
 * All public endpoints. Router, limits, OpenAPI, reference and coverage report loop over this object. Handlers are
 * bound to it by a type that requires exactly one for each endpoint. SPEC-CNV-01, SPEC-CNV-06, SPEC-CNV-26.
 */
export const catalogue = catalogueOf(groups);
export type Catalogue = typeof catalogue;
/** Name of an endpoint. */
export type EndpointId = keyof Catalogue;
/** Every endpoint by name, in the order of the catalogue. */
export const endpointIds = Object.keys(catalogue) as EndpointId[];
