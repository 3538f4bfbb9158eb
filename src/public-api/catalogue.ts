import * as account from '#public-api/accounts/account-endpoints.ts';
import * as brokerSubAccounts from '#public-api/broker/sub-account-endpoints.ts';
import * as brokerTransfers from '#public-api/broker/transfer-endpoints.ts';
import * as brokerWallet from '#public-api/broker/wallet-endpoints.ts';
import * as affiliates from '#public-api/rebates/affiliate-endpoints.ts';
import * as futures from '#public-api/futures/futures-endpoints.ts';
import * as futuresFunds from '#public-api/futures/fund-endpoints.ts';
import * as futuresMarket from '#public-api/futures/market-endpoints.ts';
import * as futuresPrices from '#public-api/futures/price-endpoints.ts';
import * as listenKeys from '#public-api/accounts/listen-key-endpoints.ts';
import * as market from '#public-api/spot/market-endpoints.ts';
import * as orders from '#public-api/spot/order-endpoints.ts';
import * as stpGroups from '#public-api/accounts/stp-group-endpoints.ts';
import * as subAccounts from '#public-api/accounts/sub-account-endpoints.ts';
import * as rebates from '#public-api/rebates/rebate-endpoints.ts';
import * as walletCoins from '#public-api/wallet/coin-endpoints.ts';
import * as walletDeposits from '#public-api/wallet/deposit-endpoints.ts';
import * as walletDust from '#public-api/wallet/dust-endpoints.ts';
import * as walletTransfers from '#public-api/wallet/transfer-endpoints.ts';
import * as walletWithdrawals from '#public-api/wallet/withdrawal-endpoints.ts';

/**
 * All public endpoints, by group. Router, limits, OpenAPI, reference and coverage report loop over this object.
 * Handlers are bound to it in the gateway, by a type that requires exactly one for each endpoint. SPEC-CNV-01,
 * SPEC-CNV-06, SPEC-CNV-26.
 */
export const catalogue = {
  ping: market.ping,
  serverTime: market.serverTime,
  defaultSymbols: market.defaultSymbols,
  exchangeInfo: market.exchangeInfo,
  depth: market.depth,
  trades: market.trades,
  aggregatedTrades: market.aggregatedTrades,
  candles: market.candles,
  averagePrice: market.averagePrice,
  ticker24h: market.ticker24h,
  priceTicker: market.priceTicker,
  bookTicker: market.bookTicker,
  coinConfiguration: walletCoins.coinConfiguration,
  withdraw: walletWithdrawals.withdraw,
  cancelWithdrawal: walletWithdrawals.cancelWithdrawal,
  withdrawApply: walletWithdrawals.withdrawApply,
  deposits: walletDeposits.deposits,
  withdrawals: walletWithdrawals.withdrawals,
  createDepositAddress: walletDeposits.createDepositAddress,
  depositAddresses: walletDeposits.depositAddresses,
  savedAddresses: walletWithdrawals.savedAddresses,
  transfer: walletTransfers.transfer,
  transfers: walletTransfers.transfers,
  transferById: walletTransfers.transferById,
  convertible: walletDust.convertible,
  convert: walletDust.convert,
  conversions: walletDust.conversions,
  send: walletTransfers.send,
  sends: walletTransfers.sends,
  kycStatus: account.kycStatus,
  uid: account.uid,
  selfSymbols: account.selfSymbols,
  placeOrder: orders.placeOrder,
  testOrder: orders.testOrder,
  placeOrders: orders.placeOrders,
  cancelOrder: orders.cancelOrder,
  cancelOpenOrders: orders.cancelOpenOrders,
  order: orders.order,
  openOrders: orders.openOrders,
  allOrders: orders.allOrders,
  myTrades: orders.myTrades,
  account: account.account,
  enableFeeDeduction: account.enableFeeDeduction,
  feeDeduction: account.feeDeduction,
  tradeFee: account.tradeFee,
  createStpGroup: stpGroups.createStpGroup,
  stpGroups: stpGroups.stpGroups,
  deleteStpGroup: stpGroups.deleteStpGroup,
  addStpMembers: stpGroups.addStpMembers,
  addStpMembersByGet: stpGroups.addStpMembersByGet,
  removeStpMembers: stpGroups.removeStpMembers,
  openSubAccount: subAccounts.openSubAccount,
  subAccounts: subAccounts.subAccounts,
  createSubAccountKey: subAccounts.createSubAccountKey,
  subAccountKeys: subAccounts.subAccountKeys,
  deleteSubAccountKey: subAccounts.deleteSubAccountKey,
  universalTransfer: subAccounts.universalTransfer,
  universalTransfers: subAccounts.universalTransfers,
  subAccountAssets: subAccounts.subAccountAssets,
  openBrokerSubAccount: brokerSubAccounts.openBrokerSubAccount,
  brokerSubAccounts: brokerSubAccounts.brokerSubAccounts,
  brokerSubAccountStatus: brokerSubAccounts.brokerSubAccountStatus,
  createBrokerKey: brokerSubAccounts.createBrokerKey,
  brokerKeys: brokerSubAccounts.brokerKeys,
  deleteBrokerKey: brokerSubAccounts.deleteBrokerKey,
  createBrokerDepositAddress: brokerWallet.createBrokerDepositAddress,
  brokerDepositAddresses: brokerWallet.brokerDepositAddresses,
  brokerDeposits: brokerWallet.brokerDeposits,
  allBrokerDeposits: brokerWallet.allBrokerDeposits,
  brokerWithdraw: brokerWallet.brokerWithdraw,
  brokerTransfer: brokerTransfers.brokerTransfer,
  brokerTransfers: brokerTransfers.brokerTransfers,
  enableBrokerFutures: brokerSubAccounts.enableBrokerFutures,
  brokerRebates: brokerTransfers.brokerRebates,
  createListenKey: listenKeys.createListenKey,
  listenKeys: listenKeys.listenKeys,
  renewListenKey: listenKeys.renewListenKey,
  deleteListenKey: listenKeys.deleteListenKey,
  rebateSummary: rebates.rebateSummary,
  rebateDetail: rebates.rebateDetail,
  kickbackDetail: rebates.kickbackDetail,
  referCode: rebates.referCode,
  affiliateCommission: affiliates.affiliateCommission,
  affiliatePayouts: affiliates.affiliatePayouts,
  affiliateCommissionDetail: affiliates.affiliateCommissionDetail,
  affiliateCampaigns: affiliates.affiliateCampaigns,
  affiliateReferrals: affiliates.affiliateReferrals,
  subAffiliates: affiliates.subAffiliates,
  futuresPing: futures.futuresPing,
  futuresContracts: futures.futuresContracts,
  futuresCurrencies: futures.futuresCurrencies,
  futuresDepth: futuresMarket.futuresDepth,
  futuresDepthCommits: futuresMarket.futuresDepthCommits,
  futuresIndexPrice: futuresPrices.futuresIndexPrice,
  futuresFairPrice: futuresPrices.futuresFairPrice,
  futuresFundingRate: futuresPrices.futuresFundingRate,
  futuresCandles: futuresPrices.futuresCandles,
  futuresIndexCandles: futuresPrices.futuresIndexCandles,
  futuresFairCandles: futuresPrices.futuresFairCandles,
  futuresDeals: futuresMarket.futuresDeals,
  futuresTicker: futuresMarket.futuresTicker,
  futuresFund: futuresFunds.futuresFund,
  futuresFundHistory: futuresFunds.futuresFundHistory,
  futuresFundingHistory: futuresPrices.futuresFundingHistory,
  historicalTrades: market.historicalTrades,
  cancelAllOrders: orders.cancelAllOrders,
  enableModelFeeDeduction: account.enableModelFeeDeduction,
  modelFeeDeduction: account.modelFeeDeduction,
  futuresFunds: futuresFunds.futuresFunds,
} as const;
export type Catalogue = typeof catalogue;
/** Name of an endpoint. */
export type EndpointId = keyof Catalogue;
/** Every endpoint by name, in the order of the catalogue. */
export const endpointIds = Object.keys(catalogue) as EndpointId[];
