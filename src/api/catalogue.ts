import * as account from '#api/endpoints/account.ts';
import * as brokerSubAccounts from '#api/endpoints/broker-sub-accounts.ts';
import * as brokerTransfers from '#api/endpoints/broker-transfers.ts';
import * as brokerWallet from '#api/endpoints/broker-wallet.ts';
import * as affiliates from '#api/endpoints/affiliates.ts';
import * as futures from '#api/endpoints/futures.ts';
import * as futuresFunds from '#api/endpoints/futures-funds.ts';
import * as futuresMarket from '#api/endpoints/futures-market.ts';
import * as futuresPrices from '#api/endpoints/futures-prices.ts';
import * as listenKeys from '#api/endpoints/listen-keys.ts';
import * as market from '#api/endpoints/market.ts';
import * as orders from '#api/endpoints/orders.ts';
import * as stpGroups from '#api/endpoints/stp-groups.ts';
import * as subAccounts from '#api/endpoints/sub-accounts.ts';
import * as rebates from '#api/endpoints/rebates.ts';
import * as walletCoins from '#api/endpoints/wallet-coins.ts';
import * as walletDeposits from '#api/endpoints/wallet-deposits.ts';
import * as walletDust from '#api/endpoints/wallet-dust.ts';
import * as walletTransfers from '#api/endpoints/wallet-transfers.ts';
import * as walletWithdrawals from '#api/endpoints/wallet-withdrawals.ts';

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
