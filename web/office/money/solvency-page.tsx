import { Table } from '#web/design/table.tsx';
import type { Answer } from '#web/office/data/office-calls.ts';
import { useCall } from '#web/office/data/use-office.ts';
import { ActButton } from '#web/office/parts/act-button.tsx';
import { DownloadButton } from '#web/office/parts/download-button.tsx';
import { ListPart } from '#web/office/parts/list-part.tsx';
import { memberColumns } from '#web/office/parts/member-columns.tsx';
import { RecordView } from '#web/office/parts/member-value.tsx';
import { OfficePage, Part } from '#web/office/parts/office-page.tsx';
import { ReadingView } from '#web/office/parts/reading-view.tsx';

type Reconciled = Answer<'getReconciliation'>['items'][number];
type Balance = Answer<'getTrialBalance'>['items'][number];

const keyOf = ({ asset }: { readonly asset: string }): string => asset;

function Reconciliation() {
  const reconciliation = useCall('getReconciliation', {});
  return (
    <>
      <div class="office-acts">
        <DownloadButton id="getReconciliation" label="Download" file="reconciliation.json" />
      </div>
      <ReadingView reading={reconciliation}>
        {({ items }) => (
          <Table
            label="Reconciliation"
            rows={items}
            keyOf={keyOf}
            empty="There is no asset."
            columns={[
              ...memberColumns<Reconciled>(['asset', 'onLedger', 'notCredited', 'leaving', 'expected', 'inCustody']),
              {
                title: 'Difference',
                cell: ({ difference, isExplained, isComplete }) => (
                  <span class={isExplained && isComplete ? 'number up' : 'number down'}>
                    {isComplete ? difference : 'not known'}
                  </span>
                ),
                isRight: true,
              },
              ...memberColumns<Reconciled>(['rounding', 'networks']),
            ]}
          />
        )}
      </ReadingView>
    </>
  );
}

function TrialBalance() {
  const balance = useCall('getTrialBalance', {});
  return (
    <>
      <div class="office-acts">
        <DownloadButton id="getTrialBalance" label="Download" file="trial-balance.json" />
      </div>
      <ReadingView reading={balance}>
        {({ items }) => (
          <Table
            label="Trial balance"
            rows={items}
            keyOf={keyOf}
            empty="Nothing was ever posted."
            columns={memberColumns<Balance>(['asset', 'users', 'futures', 'house', 'outside', 'sum'])}
          />
        )}
      </ReadingView>
    </>
  );
}

function Liabilities() {
  const root = useCall('getLiabilities', {});
  return (
    <>
      <p class="soft">
        A tree of what all accounts own. Publish its root; each account checks with its own proof that it is counted.
      </p>
      <div class="office-acts">
        <ActButton id="makeLiabilityTree" title="Make a liability tree" onDone={root.reload} />
        {root.value === null ? null : (
          <DownloadButton id="getLiabilities" label="Download the root" file="liabilities.json" />
        )}
      </div>
      {root.value === null ? <p>{root.fault ?? ''}</p> : <RecordView record={root.value} />}
    </>
  );
}

/** Whether custody has what the ledger owes, and what can be shown of it. DEC-WEB-50. */
export const Page = () => (
  <OfficePage
    title="Solvency"
    scope="ledger:read"
    acts={<ActButton id="makeAdjustment" title="Adjust a balance" isSmall={false} />}
  >
    <Part title="Reconciliation">
      <Reconciliation />
    </Part>
    <Part title="Proof of liabilities">
      <Liabilities />
    </Part>
    <Part title="Trial balance">
      <TrialBalance />
    </Part>
    <ListPart
      title="Adjustments"
      id="listAdjustments"
      members={{ limit: 50 }}
      keyOf={({ adjustment }) => String(adjustment)}
      empty="Nothing was adjusted."
      columns={[
        ...(['adjustment', 'at', 'uid', 'house', 'asset', 'amount', 'kind'] as const),
        { title: 'Why', cell: ({ reason }) => reason, style: 'office-wide' },
        ...(['reference', 'madeBy', 'approvedBy'] as const),
      ]}
    />
  </OfficePage>
);
