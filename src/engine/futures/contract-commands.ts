import { futuresWalletOf, innerHouse } from '#model/account.ts';
import { hasEnded, type ContractState, type ContractListing, type ContractRules } from '#model/contract.ts';
import type { SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { addAccount } from '#engine/accounts/new-account.ts';
import { refuse, type CommandFunction, type CommandTable } from '#engine/money/command-function.ts';
import { markView, updateIndices, setContractState } from '#engine/futures/index-commands.ts';
import type { Contract } from '#engine/state/futures/contracts.ts';
import { canDeliver, deliver } from '#engine/futures/deliver.ts';
import { mostLots, positionFor, viewOfPosition } from '#engine/futures/position-margin.ts';
import type { Matching } from '#engine/spot/matching.ts';
import { canOwe } from '#engine/money/outside-bounds.ts';
import { fitsCap, freeOf } from '#engine/money/free-balance.ts';
import type { EngineState } from '#engine/state/state.ts';
import { contractFault } from '#model/contract-fault.ts';
import { engineLimits } from '#model/limits.ts';

/** KYC level of an account that the engine opens for itself. */
const ownKycLevel = 4;

/**
 * Lists a contract and opens the account of its insurance fund, or changes the terms of a listed one; coins, scales and
 * state of that stay.
 */
const configureContract: CommandFunction<'configureContract'> = (state, { contract: terms }) => {
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
  state.contracts.put({ rules, insurer });
  state.emit.fact({ kind: 'contractConfigured', contract: rules });
};

/** Whether a contract can have these terms; those of a listed one must keep its coins and scales. */
function areTermsValid(state: EngineState, terms: ContractListing, listed: ContractRules | null): boolean {
  const settle = state.assets.get(terms.settle);
  if (!state.assets.has(terms.base) || settle === null) return false;
  return (listed !== null || isListable(state, terms)) && contractFault(terms, listed, settle.scale) === null;
}

/** A contract is listed in a state from which it can be traded or be paused. */
const isListable = (state: EngineState, terms: ContractListing): boolean =>
  state.books.length < engineLimits.symbols &&
  /^[A-Z0-9]{2,12}_[A-Z0-9]{2,12}$/.test(terms.name) &&
  (terms.state === 'enabled' || terms.state === 'paused');

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
/**
 * Changes the state of a contract. Into one without trading for good, every order is cancelled and every position
 * settled at the fair price. DEC-FUT-09.
 */
const moveContract =
  (cancelAllOf: Matching['cancelAllOf']): CommandFunction<'setContractState'> =>
  (state, { contract: id, state: wanted }) => {
    const contract = state.contracts.get(id);
    if (contract === null) refuse(state, 'unknownContract');
    else if (!nextStates[contract.rules.state].includes(wanted)) refuse(state, 'wrongState');
    else if (hasEnded(wanted) && !canDeliver(state, contract)) refuse(state, 'houseHasTooLittle');
    else {
      if (hasEnded(wanted)) end(state, contract, cancelAllOf);
      setContractState(state, contract, wanted);
    }
  };

/** Ends trading for good: no orders and no positions are left, and that is told once more with the last prices. */
function end(state: EngineState, contract: Contract, cancelAllOf: Matching['cancelAllOf']): void {
  const { id } = contract.rules;
  cancelAllOf(id);
  if (state.positions.openCount(id) === 0) return;
  deliver(state, contract);
  state.emit.fact({ kind: 'markUpdated', mark: markView(state, contract) });
}

/**
 * Gives money of the house to an insurance fund, up to the cap of the asset: in production what the operator put in.
 * DEC-FUT-18, DEC-OPR-184.
 */
const fundInsurance: CommandFunction<'fundInsurance'> = (state, { contract: id, amount }) => {
  const contract = state.contracts.get(id);
  if (contract === null) {
    refuse(state, 'unknownContract');
    return;
  }
  const { settle } = contract.rules;
  const isProduction = state.profile.value === 'production';
  const giver = isProduction ? innerHouse.capital : innerHouse.grants;
  if (amount <= 0n) refuse(state, 'wrongAmount');
  else if (isProduction) {
    if (amount > freeOf(state, giver, settle)) refuse(state, 'houseHasTooLittle');
    else state.ledger.move(giver, futuresWalletOf(contract.insurer), settle, amount, 'insurance');
  } else if (!fitsCap(state, settle, amount) || !canOwe(state, giver, settle, amount)) refuse(state, 'aboveAssetCap');
  else state.ledger.move(giver, futuresWalletOf(contract.insurer), settle, amount, 'insurance');
};

/**
 * Sets margin mode and leverage of an account without position and open orders of the contract. Those of a fund stay.
 * DEC-FUT-24, DEC-FUT-58.
 */
const setLeverage: CommandFunction<'setLeverage'> = (state, { account, contract: id, mode, leverage }) => {
  const contract = state.contracts.get(id);
  if (contract === null) refuse(state, 'unknownContract');
  else if (!state.accounts.isUser(account)) refuse(state, 'unknownAccount');
  else if (state.contracts.isInsurer(account)) refuse(state, 'accountNotUsable');
  else if (!Number.isInteger(leverage) || leverage < 1 || mostLots(contract.rules, leverage) === 0)
    refuse(state, 'wrongLeverage');
  else if (hasPositionOrOrders(state, account, id)) refuse(state, 'hasPosition');
  else {
    const position = positionFor(state, account, id);
    position.mode = mode;
    position.leverage = leverage;
    position.updatedAt = state.at;
    state.emit.positionChanged(viewOfPosition(state, position));
  }
};

function hasPositionOrOrders(
  { positions, accounts, tables }: EngineState,
  account: Parameters<typeof positions.find>[0],
  id: SymbolId,
): boolean {
  if ((positions.find(account, id)?.lots ?? 0) !== 0) return true;
  return accounts.openOrders.all(account).some((slot) => tables.orders.symbol(slot) === id);
}

/** The functions of commands about contracts, with this matching. */
export const contractCommands = (matching: Matching) =>
  ({
    configureContract,
    setContractState: moveContract(matching.cancelAllOf),
    fundInsurance,
    updateIndices: updateIndices(matching),
    reducePosition: (_state, { account, order }) => matching.reducePosition(account, order),
    setLeverage,
  }) satisfies Partial<CommandTable>;
