import { contractState, contractTerms, marginMode } from '#model/codec/contract-codecs.ts';
import { amount, integer, list, nullable, record, type FieldCodec } from '#model/codec/field-codec.ts';
import { newReusedOrder, readOrder, writeOrder } from '#model/codec/order-codec.ts';
import { command, type SeldomCommand } from '#model/codec/seldom-command.ts';
import type { ContractCommand } from '#model/contract-command.ts';
import type { OrderRequest } from '#model/order.ts';
import type { SymbolId } from '#model/units.ts';

/** An order by itself, without one before it. */
const loneOrder: FieldCodec<OrderRequest> = {
  write: (writer, order) => writeOrder(writer, order, { symbol: -1, price: 0 }),
  read: (reader) => {
    const read = newReusedOrder();
    readOrder(reader, read, { symbol: -1, price: 0 });
    return read.order;
  },
};

/** Commands about contracts in the journal; see `seldomCommands`. */
export const contractCommands: { readonly [Kind in ContractCommand['kind']]: SeldomCommand<Kind> } = {
  configureContract: command(61, 'configureContract', { contract: contractTerms }),
  setContractState: command(62, 'setContractState', { contract: integer(), state: contractState }),
  fundInsurance: command(63, 'fundInsurance', { contract: integer(), amount: amount() }),
  updateIndices: command(64, 'updateIndices', {
    prices: list(
      record<{ contract: SymbolId; price: number | null }>({ contract: integer(), price: nullable(integer()) }),
    ),
  }),
  reducePosition: command(65, 'reducePosition', { account: integer(), order: loneOrder }),
  setLeverage: command(66, 'setLeverage', {
    account: integer(),
    contract: integer(),
    mode: marginMode,
    leverage: integer(),
  }),
};
