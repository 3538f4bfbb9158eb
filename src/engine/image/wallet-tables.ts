import { assetNetwork, chainProgress, depositAddress, walletRules, withdrawal } from '#model/wallet.ts';
import { auditWithdrawals } from '#engine/image/withdrawals-audit.ts';
import { recordTable, type StateTable } from '#engine/state/state-table.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Tables of the wallet. Withdrawals own holds, so they are read before the holds. */
export function walletTables(state: EngineState): readonly StateTable[] {
  const { assetNetworks, depositAddresses, chains, withdrawals } = state;
  return [
    recordTable({
      name: 'walletRules',
      record: walletRules,
      all: () => (state.walletRules === null ? [] : [state.walletRules]),
      put: (rules) => {
        state.walletRules = rules;
      },
    }),
    recordTable({
      name: 'assetNetworks',
      record: assetNetwork,
      all: () => assetNetworks.all,
      put: (network) => assetNetworks.put(network),
    }),
    recordTable({
      name: 'depositAddresses',
      record: depositAddress,
      all: () => depositAddresses.all,
      put: (address) => depositAddresses.put(address),
    }),
    recordTable({
      name: 'chains',
      record: chainProgress,
      all: () => [...chains.values()].sort((first, second) => (first.network < second.network ? -1 : 1)),
      put: (chain) => void chains.set(chain.network, chain),
    }),
    counted(
      {
        last: () => withdrawals.lastWithdrawal,
        setLast: (last) => {
          withdrawals.lastWithdrawal = last;
        },
      },
      {
        ...recordTable({
          name: 'withdrawals',
          record: withdrawal,
          all: () => withdrawals.all(),
          put: (each) => withdrawals.put(each),
        }),
        audit: (faults) => auditWithdrawals(state, faults),
      },
    ),
  ];
}

/** A table whose records have running numbers: the last one given stands before them. */
function counted(
  numbers: { readonly last: () => number; readonly setLast: (last: number) => void },
  table: StateTable,
): StateTable {
  return {
    ...table,
    write: (writer) => {
      writer.varint(numbers.last());
      table.write(writer);
    },
    read: (reader, version) => {
      const last = reader.varint();
      table.read(reader, version);
      numbers.setLast(last);
    },
  };
}
