import { command } from '#model/commands/command-declaration.ts';
import { amount, integer, list, nullable, oneOf, record } from '#model/codec/field-codec.ts';
import { orderRequest } from '#model/codec/order-codec.ts';
import { contractStates, marginModes, contractListing } from '#model/contract.ts';
import type { AccountId, SymbolId } from '#model/units.ts';

/** Commands about contracts. Orders of contracts are cancelled by the same commands as others. */
export const contractCommands = {
  /** Lists a contract and opens its insurance fund, or changes the rates and tiers of a listed one. */
  configureContract: command(61, {
    contract: contractListing,
  }),
  setContractState: command(62, {
    contract: integer<SymbolId>(),
    state: oneOf(contractStates),
  }),
  /** Money of the house for the insurance fund of a contract. DEC-FUT-18. */
  fundInsurance: command(63, {
    contract: integer<SymbolId>(),
    amount: amount(),
  }),
  /** Index prices of this second, in steps of 10^-markDecimals; `null`: no source is live. DEC-FUT-03. */
  updateIndices: command(64, {
    prices: list(record({ contract: integer<SymbolId>(), price: nullable(integer()) })),
  }),
  /** An order that closes a position at most, of the kinds `immediateOrCancel` and `market`. */
  reducePosition: command(65, {
    account: integer<AccountId>(),
    order: orderRequest,
  }),
  /** Of an account without position and open orders of the contract. */
  setLeverage: command(66, {
    account: integer<AccountId>(),
    contract: integer<SymbolId>(),
    mode: oneOf(marginModes),
    leverage: integer(),
  }),
};
