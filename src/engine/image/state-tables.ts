import { account, apiKey, listenKey } from '#model/account.ts';
import { assetRules } from '#model/asset.ts';
import { ban } from '#model/ban.ts';
import { symbolRules } from '#model/symbol.ts';
import { stpGroup } from '#engine/state/accounts/stp-groups.ts';
import { putAsset, putBook } from '#engine/listing/listing-commands.ts';
import { balancesTable } from '#engine/image/balances-table.ts';
import { booksTable, closedOrdersTable } from '#engine/image/books-table.ts';
import { contractTables } from '#engine/image/contract-tables.ts';
import { holdsTable } from '#engine/image/holds-table.ts';
import { positionTable } from '#engine/image/position-table.ts';
import { spotRules } from '#engine/queries/engine-queries.ts';
import { recordTable, type StateTable } from '#engine/state/state-table.ts';
import { walletTables } from '#engine/image/wallet-tables.ts';
import { feeToken, type EngineState } from '#engine/state/state.ts';

/** Members of the state that are tables themselves; they are included automatically. */
type TableMember = {
  [Name in keyof EngineState]: EngineState[Name] extends StateTable ? Name : never;
}[keyof EngineState];

/**
 * Table that contains each of the other members: a new member does not compile until it is listed here. `derived`:
 * rebuilt from the tables, or empty between commands.
 */
export const tableOfMember = {
  seq: 'position',
  at: 'position',
  rules: 'position',
  epoch: 'position',
  checkpoint: 'position',
  emit: 'position',
  assets: 'assets',
  contracts: 'contracts',
  positions: 'positions',
  feeToken: 'feeToken',
  books: 'symbols',
  accounts: 'accounts',
  keys: 'apiKeys',
  stpGroups: 'stpGroups',
  bans: 'bans',
  ledger: 'balances',
  holds: 'holds',
  tables: 'books',
  listenKeys: 'listenKeys',
  walletRules: 'walletRules',
  assetNetworks: 'assetNetworks',
  depositAddresses: 'depositAddresses',
  chains: 'chains',
  withdrawals: 'withdrawals',
  actor: 'derived',
  actingKey: 'derived',
  refusal: 'derived',
  assetByCode: 'derived',
  symbolByName: 'derived',
  bookByAssets: 'derived',
  booksByBase: 'derived',
  openings: 'derived',
} as const satisfies Record<Exclude<keyof EngineState, TableMember>, string>;

/** Every table of a state, in the order of the image: a table may depend on those before it. */
export function stateTablesOf(state: EngineState): readonly StateTable[] {
  return [
    positionTable(state),
    recordTable({
      name: 'assets',
      record: assetRules,
      all: () => state.assets,
      put: (asset) => putAsset(state, asset),
    }),
    recordTable({
      name: 'feeToken',
      record: feeToken,
      all: () => (state.feeToken === null ? [] : [state.feeToken]),
      put: (token) => {
        state.feeToken = token;
      },
    }),
    recordTable({
      name: 'symbols',
      record: symbolRules,
      all: () => spotRules(state),
      put: (rules) => putBook(state, rules),
    }),
    recordTable({
      name: 'accounts',
      record: account,
      all: () => state.accounts.records,
      put: (each) => {
        // House accounts exist from the beginning.
        if (each.account >= state.accounts.size) state.accounts.put(each);
      },
    }),
    recordTable({
      name: 'apiKeys',
      record: apiKey,
      all: () => state.accounts.records.flatMap((each) => state.keys.of(each.account)),
      put: (key) => state.keys.put(key),
    }),
    stpGroupsTable(state),
    recordTable({
      name: 'bans',
      record: ban,
      // stored order: bans stand in the order in which they were made
      all: () => [...state.bans.values()],
      put: (each) => void state.bans.set(each.address, each),
    }),
    ...contractTables(state),
    balancesTable(state),
    booksTable(state),
    ...walletTables(state),
    holdsTable(state),
    closedOrdersTable(state),
    recordTable({
      name: 'listenKeys',
      record: listenKey,
      all: () => state.listenKeys.all(),
      put: (key) => state.listenKeys.put(key),
    }),
    ...tablesOfMembers(state),
  ];
}

const isTable = (member: unknown): member is StateTable =>
  typeof member === 'object' && member !== null && 'isInDigest' in member;

/** The members that are tables, by name. */
function tablesOfMembers(state: EngineState): readonly StateTable[] {
  return Object.values(state)
    .filter(isTable)
    .sort((first, second) => (first.name < second.name ? -1 : 1));
}

/** Self-trade-prevention groups by id, and the last id given: ids are never reused. */
function stpGroupsTable(state: EngineState): StateTable {
  const { stpGroups } = state;
  const groups = recordTable({
    name: 'stpGroups',
    record: stpGroup,
    all: () => [...stpGroups.groups.values()].sort((first, second) => first.group - second.group),
    put: (group) => stpGroups.put(group),
  });
  return {
    ...groups,
    write: (writer) => {
      writer.varint(stpGroups.lastGroup);
      groups.write(writer);
    },
    read: (reader, version) => {
      const last = reader.varint();
      groups.read(reader, version);
      stpGroups.lastGroup = last;
    },
  };
}
