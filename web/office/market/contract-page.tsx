import { Table } from '#web/design/table.tsx';
import type { Answer } from '#web/office/data/office-calls.ts';
import { useCall } from '#web/office/data/use-office.ts';
import { ActButton } from '#web/office/parts/act-button.tsx';
import { EditButton } from '#web/office/parts/edit-button.tsx';
import { AccountLink } from '#web/office/parts/links.tsx';
import { ListPart } from '#web/office/parts/list-part.tsx';
import { memberColumns } from '#web/office/parts/member-columns.tsx';
import { RecordView } from '#web/office/parts/member-value.tsx';
import { OfficePage, Part } from '#web/office/parts/office-page.tsx';
import { ReadingView } from '#web/office/parts/reading-view.tsx';
import type { PathParts } from '#web/shell/router.ts';

type Tier = Answer<'getContract'>['tiers'][number];
type Source = Answer<'getIndex'>['sources'][number];

interface OfContract {
  readonly contract: string;
}

function Terms({ contract }: OfContract) {
  const reading = useCall('getContract', { contract });
  const edit = { shows: 'getContract', of: { contract }, onDone: reading.reload } as const;
  return (
    <>
      <div class="office-acts">
        <EditButton {...edit} id="putContract" label="Edit" title={`Edit contract ${contract}`} />
        <EditButton {...edit} id="setContractState" label="State" title={`State of contract ${contract}`} />
        <EditButton {...edit} id="setRiskTiers" label="Risk tiers" title={`Risk tiers of contract ${contract}`} />
      </div>
      <ReadingView reading={reading}>
        {(value) => (
          <>
            <RecordView record={value} without={['tiers']} />
            <h3>Risk tiers</h3>
            <Table
              label="Risk tiers"
              rows={value.tiers}
              keyOf={({ maxLots }) => String(maxLots)}
              empty="There is no tier."
              columns={memberColumns<Tier>(['maxLots', 'maxLeverage', 'initialPpm', 'maintenancePpm'])}
            />
          </>
        )}
      </ReadingView>
    </>
  );
}

function Fund({ contract }: OfContract) {
  const fund = useCall('getInsuranceFund', { contract });
  return (
    <>
      <div class="office-acts">
        <ActButton
          id="fundInsurance"
          label="Pay in"
          title={`Pay into the insurance fund of ${contract}`}
          fixed={{ contract }}
          onDone={fund.reload}
        />
      </div>
      <ReadingView reading={fund}>{(value) => <RecordView record={value} />}</ReadingView>
    </>
  );
}

function Index({ contract }: OfContract) {
  const index = useCall('getIndex', { contract }, 5000);
  const columns = memberColumns<Source>(['source', 'weight', 'price', 'at', 'liveUntil', 'standing']);
  return (
    <>
      <div class="office-acts">
        <ActButton
          id="giveIndexPrice"
          label="Give a price"
          title={`Give an index price of ${contract}`}
          fixed={{ contract }}
          onDone={index.reload}
        />
      </div>
      <ReadingView reading={index}>
        {({ price, sources }) => (
          <>
            <RecordView record={{ price }} />
            <Table
              label="Sources of the index"
              rows={sources}
              keyOf={({ source }) => source}
              empty="It has no source."
              columns={columns}
            />
          </>
        )}
      </ReadingView>
    </>
  );
}

/** Everything about one contract: terms, index, fund, positions, fundings, takeovers. */
export const Page = ({ parts }: { readonly parts: PathParts }) => {
  const contract = parts['contract'] as string;
  return (
    <OfficePage title={`Contract ${contract}`} scope="contracts:read">
      <Part title="Terms">
        <Terms contract={contract} />
      </Part>
      <div class="office-cards">
        <Part title="Insurance fund">
          <Fund contract={contract} />
        </Part>
        <Part title="Index">
          <Index contract={contract} />
        </Part>
      </div>
      <ListPart
        title="Positions"
        id="listContractPositions"
        members={{ contract, limit: 25 }}
        keyOf={({ uid, mode }) => `${uid} ${mode}`}
        empty="Nobody has a position."
        columns={[
          { title: 'Account', cell: ({ uid }) => <AccountLink uid={uid} /> },
          ...(['lots', 'cost', 'mode', 'leverage', 'margin', 'unrealised', 'liquidationPrice'] as const),
          'deleveragingRank',
        ]}
      />
      <ListPart
        title="Fundings"
        id="listFundings"
        members={{ contract, limit: 25 }}
        keyOf={({ at }) => String(at)}
        empty="There was no funding."
        columns={['at', 'rate', 'fair', 'paid', 'received']}
      />
      <ListPart
        title="Positions that were taken"
        id="listTakeovers"
        members={{ contract, limit: 25 }}
        keyOf={({ seq, uid, lots }) => `${seq} ${uid} ${lots}`}
        empty="No position was taken."
        columns={['at', 'uid', 'reason', 'lots', 'price', 'realised', 'fee', 'fromFund']}
      />
    </OfficePage>
  );
};
