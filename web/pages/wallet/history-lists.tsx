import type { ComponentChildren } from 'preact';
import type { BourseClient } from '#client/client.ts';
import type { Deposit, Withdrawal } from '#web/data/wallet.ts';
import { StateName } from '#web/design/facts.tsx';
import { type Column, Table } from '#web/design/table.tsx';
import { NumberText, TimeText } from '#web/design/values.tsx';
import { DepositList } from '#web/pages/wallet/deposit-list.tsx';
import {
  type Conversion,
  type HistoryFilter,
  type HistoryRows,
  type Move,
  readConversions,
  readDeposits,
  readSends,
  readSubTransfers,
  readTransfers,
  readWithdrawals,
} from '#web/pages/wallet/history-read.ts';
import { depositState, withdrawalState } from '#web/pages/wallet/states.ts';
import { WithdrawalList } from '#web/pages/wallet/withdrawal-list.tsx';

/** A history: how it is read, shown, and written into a file. */
export interface History<Row> {
  readonly read: (client: BourseClient, filter: HistoryFilter) => Promise<HistoryRows<Row>>;
  readonly list: (rows: readonly Row[], onChange: () => void) => ComponentChildren;
  readonly head: readonly string[];
  readonly cells: (row: Row) => readonly (string | number)[];
}

const isoOf = (ms: number): string => new Date(ms).toISOString();
const empty = 'Nothing of that kind in this time.';

const deposits: History<Deposit> = {
  read: readDeposits,
  list: (rows) => <DepositList deposits={rows} empty={empty} />,
  head: ['time', 'coin', 'amount', 'network', 'state', 'confirmations', 'needed', 'address', 'memo', 'transaction'],
  cells: (row) => [
    ...[isoOf(row.insertTime), row.coin, row.amount, row.network, depositState(row.status).text],
    ...[row.confirmTimes, row.unlockConfirm, row.address, row.memo ?? '', row.txId],
  ],
};

const withdrawals: History<Withdrawal> = {
  read: readWithdrawals,
  list: (rows, onChange) => <WithdrawalList withdrawals={rows} empty={empty} onChange={onChange} />,
  head: ['time', 'coin', 'amount', 'fee', 'network', 'state', 'address', 'memo', 'remark', 'transaction', 'id'],
  cells: (row) => [
    ...[isoOf(row.applyTime), row.coin, row.amount, row.transactionFee, row.network],
    ...[withdrawalState(row.status).text, row.address, row.memo ?? '', row.remark ?? '', row.txId ?? '', row.id],
  ],
};

const moveStates = {
  SUCCESS: { text: 'Done', standing: 'good' },
  FAILED: { text: 'Failed', standing: 'bad' },
  WAIT: { text: 'Waiting', standing: 'open' },
} as const;

const MoveState = ({ status }: { readonly status: string }) => {
  const { text, standing } = moveStates[status as keyof typeof moveStates] ?? { text: status, standing: '' };
  return <StateName text={text} standing={standing} />;
};

const moveColumns: readonly Column<Move>[] = [
  { title: 'Time', cell: ({ at }) => <TimeText at={at} /> },
  { title: 'Asset', cell: ({ asset }) => asset },
  { title: 'Amount', isRight: true, cell: ({ amount }) => <NumberText value={amount} /> },
  { title: 'From', style: 'wrap', cell: ({ from }) => from },
  { title: 'To', style: 'wrap', cell: ({ to }) => to },
  { title: 'State', cell: ({ status }) => <MoveState status={status} /> },
  { title: 'Id', style: 'wrap', cell: ({ id }) => <span class="code">{id}</span> },
];

const movesBy = (read: History<Move>['read']): History<Move> => ({
  read,
  list: (rows) => (
    <Table
      label="Transfers"
      columns={moveColumns}
      rows={rows}
      keyOf={({ id, from }) => `${id} ${from}`}
      empty={empty}
    />
  ),
  head: ['time', 'asset', 'amount', 'from', 'to', 'state', 'id'],
  cells: ({ at, asset, amount, from, to, status, id }) => [isoOf(at), asset, amount, from, to, status, id],
});

const conversionColumns: readonly Column<Conversion>[] = [
  { title: 'Time', cell: ({ at }) => <TimeText at={at} /> },
  { title: 'Asset', cell: ({ asset }) => asset },
  { title: 'Amount', isRight: true, cell: ({ amount }) => <NumberText value={amount} /> },
  { title: 'Fee', isRight: true, cell: ({ fee }) => <NumberText value={fee} /> },
  { title: 'Became', isRight: true, cell: ({ became }) => <NumberText value={became} /> },
];

const conversions: History<Conversion> = {
  read: readConversions,
  list: (rows) => (
    <Table label="Conversions" columns={conversionColumns} rows={rows} keyOf={({ id }) => id} empty={empty} />
  ),
  head: ['time', 'asset', 'amount', 'fee', 'became', 'id'],
  cells: ({ at, asset, amount, fee, became, id }) => [isoOf(at), asset, amount, fee, became, id],
};

/** All histories of the wallet by name. DEC-WEB-36. */
export const histories = {
  deposits,
  withdrawals,
  wallets: movesBy(readTransfers),
  users: movesBy(readSends),
  subAccounts: movesBy(readSubTransfers),
  conversions,
} as const;

/** Name of a history. */
export type HistoryName = keyof typeof histories;
