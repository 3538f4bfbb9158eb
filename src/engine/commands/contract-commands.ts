import { futuresWalletOf, innerHouse } from '#domain/account.ts';
import type { ContractRules, ContractState } from '#domain/contract.ts';
import type { SymbolId } from '#domain/units.ts';
import { as } from '#domain/units.ts';
import { addAccount } from '#engine/accounts/new-account.ts';
import { refuse, type CommandFunction } from '#engine/commands/command-function.ts';
import { updatePrices } from '#engine/commands/index-commands.ts';
import type { Contract } from '#engine/contracts/contracts.ts';
import { areTermsValid, putContract } from '#engine/contracts/list-contract.ts';
import { mostLots, positionFor, viewOfPosition } from '#engine/contracts/position-margin.ts';
import type { Matching } from '#engine/matching/matching.ts';
import { canOwe } from '#engine/wallet/outside-bounds.ts';
import { fitsCap } from '#engine/wallet/existing.ts';
import type { EngineState } from '#engine/state.ts';

/** Level of knowledge of an account that the engine opens for itself. */
const ownKycLevel = 4;

/**
 * Lists a contract and opens the account of its insurance fund, or changes the terms of a listed one; coins, scales and
 * state of that stay.
 */
export const configureContract: CommandFunction<'configureContract'> = (state, { contract: terms }) => {
  const listed = state.contracts.find(terms.name);
  if (!areTermsValid(state, terms, listed?.rules ?? null)) {
    refuse(state, 'invalidConfiguration');
    return;
  }
  const insurer = listed?.insurer ?? openInsurer(state, terms.name);
  if (insurer === null) {
    refuse(state, 'uidInUse');
    return;
  }
  const id = listed?.rules.id ?? as<SymbolId>(state.books.length);
  const createdAt = listed?.rules.createdAt ?? state.at;
  const rules = { ...terms, state: listed?.rules.state ?? terms.state, id, createdAt };
  putContract(state, { rules, insurer });
  state.emit.fact({ kind: 'contractConfigured', contract: rules });
};

function openInsurer(state: EngineState, contract: string): ReturnType<typeof addAccount>['account'] | null {
  const uid = state.givenUids.take();
  if (uid === null) return null;
  const name = `insurance:${contract}`;
  const opened = { uid, name, master: null, class: 'user', kycLevel: ownKycLevel, simulated: true } as const;
  return addAccount(state, opened).account;
}

/** Where a contract may go from each state. DEC-FUT-09. */
const nextStates: Record<ContractState, readonly ContractState[]> = {
  enabled: ['paused', 'delivery', 'offline'],
  paused: ['enabled', 'offline'],
  delivery: ['delivered', 'offline'],
  delivered: ['offline'],
  offline: [],
};
/** States without orders and positions. */
const isOver = (contract: ContractState): boolean => contract === 'delivered' || contract === 'offline';

/**
 * Changes the state of a contract. Into one without trading for good, every order is cancelled; open positions must be
 * settled before. DEC-FUT-09.
 */
export const setContractState =
  (cancelAllOf: Matching['cancelAllOf']): CommandFunction<'setContractState'> =>
  (state, { contract: id, state: wanted }) => {
    const contract = state.contracts.get(id);
    if (contract === null) refuse(state, 'unknownContract');
    else if (!nextStates[contract.rules.state].includes(wanted)) refuse(state, 'wrongState');
    else if (isOver(wanted) && state.positions.openCount(id) > 0) refuse(state, 'hasPosition');
    else {
      if (isOver(wanted)) cancelAllOf(id);
      changeState(state, contract, wanted);
    }
  };

/** Gives money of the house to an insurance fund, up to the cap of the asset. DEC-FUT-18. */
export const fundInsurance: CommandFunction<'fundInsurance'> = (state, { contract: id, amount }) => {
  const contract = state.contracts.get(id);
  if (contract === null) {
    refuse(state, 'unknownContract');
    return;
  }
  const { settle } = contract.rules;
  const giver = innerHouse.grants;
  if (amount <= 0n) refuse(state, 'wrongAmount');
  else if (!fitsCap(state, settle, amount) || !canOwe(state, giver, settle, amount)) refuse(state, 'aboveAssetCap');
  else state.ledger.move(giver, futuresWalletOf(contract.insurer), settle, amount, 'insurance');
};

/** Takes up the index prices of a second; a contract without one for a minute is paused. DEC-FUT-03. */
export const updateIndices: CommandFunction<'updateIndices'> = (state, command) =>
  updatePrices(state, state, (id) => changeState(state, state.contracts.get(id)!, 'paused'), command);

function changeState(state: EngineState, contract: Contract, wanted: ContractState): void {
  const rules: ContractRules = { ...contract.rules, state: wanted };
  putContract(state, { ...contract, rules });
  state.emit.fact({ kind: 'contractConfigured', contract: rules });
}

/** Sets margin mode and leverage of an account without position and open orders of the contract. DEC-FUT-24. */
export const setLeverage: CommandFunction<'setLeverage'> = (state, { account, contract: id, mode, leverage }) => {
  const contract = state.contracts.get(id);
  if (contract === null) refuse(state, 'unknownContract');
  else if (!state.accounts.isUser(account)) refuse(state, 'unknownAccount');
  else if (!Number.isInteger(leverage) || leverage < 1 || mostLots(contract.rules, leverage) === 0)
    refuse(state, 'wrongLeverage');
  else if (hasStake(state, account, id)) refuse(state, 'hasPosition');
  else {
    const position = positionFor(state, account, id);
    position.mode = mode;
    position.leverage = leverage;
    position.updatedAt = state.at;
    state.emit.positionChanged(viewOfPosition(state, position));
  }
};

function hasStake(
  { positions, accounts, tables }: EngineState,
  account: Parameters<typeof positions.find>[0],
  id: SymbolId,
): boolean {
  if ((positions.find(account, id)?.lots ?? 0) !== 0) return true;
  return accounts.openOrders.all(account).some((slot) => tables.orders.symbol(slot) === id);
}
