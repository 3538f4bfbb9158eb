import {
  creditFunds,
  keyCommands,
  openAccount,
  setTradingRules,
  setFeeDeduction,
  setKycLevel,
} from '#engine/accounts/account-commands.ts';
import { webhookCommands } from '#engine/accounts/webhook-commands.ts';
import { raiseNumbers } from '#engine/accounts/given-numbers.ts';
import { addAccountNote } from '#engine/accounts/note-commands.ts';
import { setAccountClosed } from '#engine/accounts/closing-commands.ts';
import { contractCommands } from '#engine/futures/contract-commands.ts';
import { refuse, type CommandFunction, type CommandTable } from '#engine/money/command-function.ts';
import { adjustBalance } from '#engine/wallet/adjust-balance.ts';
import { reportDeposit, removeDeposit, reviewDeposit } from '#engine/wallet/deposit-commands.ts';
import { convertDust } from '#engine/wallet/dust-commands.ts';
import { freezeCommands } from '#engine/accounts/freeze-commands.ts';
import { createListenKey, deleteListenKey, renewListenKey } from '#engine/accounts/listen-key-commands.ts';
import { delistingCommands } from '#engine/listing/delisting-commands.ts';
import { configureAsset, configureFeeToken, symbolCommands } from '#engine/listing/listing-commands.ts';
import {
  activateRules,
  advanceClock,
  assertDigest,
  recordBackup,
  recordIdKey,
  recordProfile,
  recordQuarantine,
} from '#engine/accounts/operation-commands.ts';
import { createOperatorToken, deleteOperatorToken } from '#engine/accounts/operator-commands.ts';
import { operateBy } from '#engine/acts/operate.ts';
import { safetyCommands } from '#engine/wallet/safety-commands.ts';
import { removeReferencePrice, setReferencePrice } from '#engine/listing/price-commands.ts';
import { feeTierCommands } from '#engine/spot/fee-tier-commands.ts';
import { banCommands } from '#engine/accounts/ban-commands.ts';
import { rateLimitCommands } from '#engine/accounts/rate-limit-commands.ts';
import { setTrading } from '#engine/listing/trading-commands.ts';
import { proposalCommands, setAlone } from '#engine/accounts/proposal-commands.ts';
import { removeSavedAddress, saveAddress, setAllowList } from '#engine/wallet/saved-address-commands.ts';
import { creditSmallDeposits } from '#engine/wallet/small-deposit-commands.ts';
import { enableFutures, openSubAccount } from '#engine/accounts/sub-account-commands.ts';
import { registerAccount, setAccountClass } from '#engine/accounts/registration-commands.ts';
import {
  createInviteCode,
  recordClicks,
  rejectRebates,
  setRebateRates,
  settleRebates,
} from '#engine/rebates/rebate-commands.ts';
import { addToStpGroup, createStpGroup, deleteStpGroup, removeFromStpGroup } from '#engine/accounts/stp-commands.ts';
import { sendFunds, setContact, transferFunds } from '#engine/wallet/transfer-commands.ts';
import { refundCommands } from '#engine/wallet/refund-commands.ts';
import { makeUniversalTransfer } from '#engine/wallet/universal-transfer-commands.ts';
import {
  assignDepositAddress,
  configureAssetNetwork,
  configureWallet,
  recordChainPosition,
  recordFork,
} from '#engine/wallet/wallet-configuration-commands.ts';
import {
  advanceWithdrawal,
  cancelWithdrawal,
  recordSweep,
  requestWithdrawal,
  reviewWithdrawal,
} from '#engine/wallet/withdrawal-commands.ts';
import { guardAll } from '#engine/protections/protected-command.ts';
import type { Matching } from '#engine/spot/matching.ts';

const placeOrders =
  ({ placeOrder }: Matching): CommandFunction<'placeOrders'> =>
  (_state, { account, orders }) => {
    for (const order of orders) placeOrder(account, order);
  };

const requote =
  ({ placeOrder, cancelIfOpen }: Matching): CommandFunction<'requote'> =>
  (state, { account, symbol, cancel, place }) => {
    if (place.some((order) => order.symbol !== symbol)) {
      refuse(state, 'invalidConfiguration');
      return;
    }
    for (const order of cancel) cancelIfOpen(account, symbol, order);
    for (const order of place) placeOrder(account, order);
  };

const recordCommands = { recordBackup, recordIdKey, recordProfile, recordQuarantine, raiseNumbers };
const savedAddressCommands = { saveAddress, removeSavedAddress, setAllowList };
const protectedFunctions = {
  configureWallet,
  configureAssetNetwork,
  setReferencePrice,
  removeReferencePrice,
  setAlone,
  adjustBalance,
};
const listenKeyCommands = { createListenKey, renewListenKey, deleteListenKey };
const depositCommands = {
  recordFork,
  creditSmallDeposits,
  reportDeposit,
  removeDeposit,
  reviewDeposit,
  ...refundCommands,
};

/** Creates the functions that apply each kind of command, with this matching, by rules up to the version `known`. */
export const createCommandTable = (matching: Matching, known: number): CommandTable => {
  const { placeOrder, cancelOrder, cancelOrders, cancelSomeOrders } = matching;
  const table: CommandTable = {
    placeOrder: (_state, { account, order }) => placeOrder(account, order),
    placeOrders: placeOrders(matching),
    requote: requote(matching),
    cancelOrder: (_state, { account, symbol, ref }) => cancelOrder(account, symbol, ref),
    cancelOrders: (_state, { account, symbols }) => cancelOrders(account, symbols),
    cancelSomeOrders: (_state, { account, symbols }) => cancelSomeOrders(account, symbols),
    configureAsset,
    ...symbolCommands(matching),
    configureFeeToken,
    ...delistingCommands,
    openAccount,
    setTradingRules,
    setFeeDeduction,
    ...keyCommands,
    creditFunds,
    setAccountClosed,
    addAccountNote,
    ...webhookCommands,
    createStpGroup,
    deleteStpGroup,
    addToStpGroup,
    removeFromStpGroup,
    ...listenKeyCommands,
    ...banCommands,
    ...rateLimitCommands,
    ...feeTierCommands,
    advanceClock,
    assertDigest,
    activateRules: activateRules(known),
    ...recordCommands,
    setTrading,
    setKycLevel,
    ...guardAll(protectedFunctions),
    ...proposalCommands(protectedFunctions),
    assignDepositAddress,
    recordChainPosition,
    ...depositCommands,
    requestWithdrawal,
    cancelWithdrawal,
    advanceWithdrawal,
    reviewWithdrawal,
    recordSweep,
    ...safetyCommands,
    ...savedAddressCommands,
    transferFunds,
    sendFunds,
    convertDust,
    setContact,
    createOperatorToken,
    deleteOperatorToken,
    registerAccount,
    openSubAccount,
    enableFutures,
    makeUniversalTransfer,
    setAccountClass,
    createInviteCode,
    setRebateRates,
    recordClicks,
    settleRebates,
    rejectRebates,
    ...freezeCommands(matching),
    ...contractCommands(matching),
    operate: operateBy(() => table),
  };
  return table;
};
