import { ActButton } from '#web/office/parts/act-button.tsx';
import { ListPart } from '#web/office/parts/list-part.tsx';

interface OfAccount {
  readonly uid: number;
}

const Trading = ({ uid }: OfAccount) => (
  <>
    <ListPart
      title="Open orders"
      id="listOrders"
      members={{ uid, state: 'open', limit: 25 }}
      keyOf={({ order }) => order}
      empty="It has no open order."
      columns={['order', 'pair', 'side', 'kind', 'price', 'quantity', 'executed', 'acceptedAt']}
      acts={(reload) => (
        <ActButton
          id="cancelOrders"
          title={`Cancel all orders of account ${uid}`}
          label="Cancel all"
          fixed={{ uid }}
          onDone={reload}
        />
      )}
      rowActs={({ order }, reload) => (
        <ActButton
          id="cancelOrder"
          title={`Cancel order ${order}`}
          label="Cancel"
          fixed={{ uid, order }}
          onDone={reload}
        />
      )}
    />
    <ListPart
      title="Closed orders"
      id="listOrders"
      members={{ uid, state: 'closed', limit: 25 }}
      keyOf={({ order }) => order}
      empty="It never had an order."
      columns={[
        'order',
        'pair',
        'side',
        'kind',
        'status',
        'price',
        'quantity',
        'executed',
        'executedAmount',
        'updatedAt',
      ]}
    />
    <ListPart
      title="Fills"
      id="listFills"
      members={{ uid, limit: 25 }}
      keyOf={({ trade, order }) => `${trade} ${order}`}
      empty="It never traded."
      columns={['at', 'pair', 'side', 'price', 'quantity', 'amount', 'fee', 'feeAsset', 'isMaker', 'trade', 'order']}
    />
  </>
);

const PositionsAndPayments = ({ uid }: OfAccount) => (
  <>
    <ListPart
      title="Positions"
      scope="contracts:read"
      id="listAccountPositions"
      members={{ uid }}
      keyOf={({ contract, mode }) => `${contract} ${mode}`}
      empty="It has no position."
      columns={[
        'contract',
        'lots',
        'cost',
        'mode',
        'leverage',
        'margin',
        'unrealised',
        'liquidationPrice',
        'updatedAt',
      ]}
    />
    <ListPart
      title="Withdrawals"
      scope="withdrawals:read"
      id="listWithdrawalsOfAccount"
      members={{ uid, limit: 25 }}
      keyOf={({ withdrawal }) => String(withdrawal)}
      empty="It never withdrew anything."
      columns={[
        'withdrawal',
        'requestedAt',
        'asset',
        'network',
        'amount',
        'fee',
        'status',
        'address',
        'txId',
        'remark',
      ]}
    />
    <ListPart
      title="Deposits"
      scope="deposits:read"
      id="listDepositsOfAccount"
      members={{ uid, limit: 25 }}
      keyOf={({ deposit }) => String(deposit)}
      empty="Nothing was ever paid to it."
      columns={['deposit', 'insertedAt', 'asset', 'network', 'amount', 'status', 'address', 'txId']}
    />
  </>
);

/** Orders, fills, positions and payments of an account. */
export const Activity = ({ uid }: OfAccount) => (
  <>
    <Trading uid={uid} />
    <PositionsAndPayments uid={uid} />
  </>
);
