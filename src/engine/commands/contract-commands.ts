import { refuse, type CommandFunction } from '#engine/commands/command-function.ts';

/** Placeholder of `configureContract`. */
export const configureContract: CommandFunction<'configureContract'> = (state) => refuse(state, 'unknownContract');
/** Placeholder of `setContractState`. */
export const setContractState: CommandFunction<'setContractState'> = (state) => refuse(state, 'unknownContract');
/** Placeholder of `fundInsurance`. */
export const fundInsurance: CommandFunction<'fundInsurance'> = (state) => refuse(state, 'unknownContract');
/** Placeholder of `updateIndices`. */
export const updateIndices: CommandFunction<'updateIndices'> = (state) => refuse(state, 'unknownContract');
/** Placeholder of `reducePosition`. */
export const reducePosition: CommandFunction<'reducePosition'> = (state) => refuse(state, 'unknownContract');
/** Placeholder of `setLeverage`. */
export const setLeverage: CommandFunction<'setLeverage'> = (state) => refuse(state, 'unknownContract');
