import {
  createApiKey,
  creditFunds,
  deleteApiKey,
  openAccount,
  setAccountStatus,
  setAccountTerms,
  setFeeDeduction,
} from '#engine/commands/account-commands.ts';
import { refuse, type CommandTable } from '#engine/commands/command-function.ts';
import { createListenKey, deleteListenKey, renewListenKey } from '#engine/commands/listen-key-commands.ts';
import { configureAsset, configureFeeToken, configureSymbol } from '#engine/commands/listing-commands.ts';
import {
  activateRules,
  advanceClock,
  assertDigest,
  banAddress,
  recordQuarantine,
} from '#engine/commands/operation-commands.ts';
import { addToStpGroup, createStpGroup, deleteStpGroup, removeFromStpGroup } from '#engine/commands/stp-commands.ts';
import type { Matching } from '#engine/matching/matching.ts';

/** Creates the functions that apply each kind of command, with this matching. */
export const createCommandTable = ({
  placeOrder,
  cancelOrder,
  cancelIfOpen,
  cancelOrders,
}: Matching): CommandTable => ({
  placeOrder: (_state, { account, order }) => placeOrder(account, order),
  placeOrders: (_state, { account, orders }) => {
    for (const order of orders) placeOrder(account, order);
  },
  requote: (state, { account, symbol, cancel, place }) => {
    if (place.some((order) => order.symbol !== symbol)) {
      refuse(state, 'invalidConfiguration');
      return;
    }
    for (const order of cancel) cancelIfOpen(account, symbol, order);
    for (const order of place) placeOrder(account, order);
  },
  cancelOrder: (_state, { account, symbol, ref }) => cancelOrder(account, symbol, ref),
  cancelOrders: (_state, { account, symbols }) => cancelOrders(account, symbols),
  configureAsset,
  configureSymbol,
  configureFeeToken,
  openAccount,
  setAccountStatus,
  setAccountTerms,
  setFeeDeduction,
  createApiKey,
  deleteApiKey,
  creditFunds,
  createStpGroup,
  deleteStpGroup,
  addToStpGroup,
  removeFromStpGroup,
  createListenKey,
  renewListenKey,
  deleteListenKey,
  banAddress,
  advanceClock,
  assertDigest,
  activateRules,
  recordQuarantine,
});
