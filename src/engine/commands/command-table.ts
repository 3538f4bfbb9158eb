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
import { advanceClock, assertDigest, banAddress } from '#engine/commands/operation-commands.ts';
import { addToStpGroup, createStpGroup, deleteStpGroup, removeFromStpGroup } from '#engine/commands/stp-commands.ts';
import { cancelIfOpen, cancelOrder, cancelOrders } from '#engine/matching/cancel-order.ts';
import { placeOrder } from '#engine/matching/place-order.ts';

/** What applies each kind of command. */
export const commandTable: CommandTable = {
  placeOrder: (state, { account, order }) => placeOrder(state, account, order),
  placeOrders: (state, { account, orders }) => {
    for (const order of orders) placeOrder(state, account, order);
  },
  requote: (state, { account, symbol, cancel, place }) => {
    if (place.some((order) => order.symbol !== symbol)) {
      refuse(state, 'invalidConfiguration');
      return;
    }
    for (const order of cancel) cancelIfOpen(state, account, symbol, order);
    for (const order of place) placeOrder(state, account, order);
  },
  cancelOrder: (state, { account, symbol, ref }) => cancelOrder(state, account, symbol, ref),
  cancelOrders: (state, { account, symbols }) => cancelOrders(state, account, symbols),
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
};
