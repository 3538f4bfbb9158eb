import { Table } from '#web/design/table.tsx';
import type { Answer } from '#web/office/data/office-calls.ts';
import { useCall } from '#web/office/data/use-office.ts';
import { EditButton } from '#web/office/parts/edit-button.tsx';
import { memberColumns } from '#web/office/parts/member-columns.tsx';
import { RecordView } from '#web/office/parts/member-value.tsx';
import { OfficePage, Part } from '#web/office/parts/office-page.tsx';

type Tier = Answer<'getFeeTiers'>['tiers'][number];

function Tiers() {
  const tiers = useCall('getFeeTiers', {});
  return (
    <>
      <div class="office-acts">
        <EditButton
          id="putFeeTiers"
          shows="getFeeTiers"
          of={{}}
          label="Edit"
          title="Set the fee tiers"
          onDone={tiers.reload}
        />
      </div>
      {tiers.value === null ? (
        <p class="soft">{tiers.fault ?? ''}</p>
      ) : (
        <>
          <RecordView record={tiers.value} without={['tiers']} />
          <Table
            label="Fee tiers"
            rows={tiers.value.tiers}
            keyOf={({ volume, tokenBalance }) => `${volume} ${tokenBalance}`}
            empty="There is no tier."
            columns={memberColumns<Tier>(['volume', 'tokenBalance', 'makerFeePpm', 'takerFeePpm'])}
          />
        </>
      )}
    </>
  );
}

function PlatformToken() {
  const token = useCall('getPlatformToken', {});
  return (
    <>
      <div class="office-acts">
        <EditButton
          id="putPlatformToken"
          shows="getPlatformToken"
          of={{}}
          label="Edit"
          title="Choose the platform token"
          onDone={token.reload}
        />
      </div>
      {token.value === null ? <p class="soft">{token.fault ?? ''}</p> : <RecordView record={token.value} />}
    </>
  );
}

/** What trading costs beside the commissions of pairs. DEC-WEB-43. */
export const Page = () => (
  <OfficePage title="Fees" scope="pairs:read">
    <p class="soft">
      Commissions stand at each <a href="/pairs">pair</a>; those of a network at its <a href="/coins">coin</a>.
    </p>
    <Part title="Fee tiers">
      <Tiers />
    </Part>
    <Part title="Platform token">
      <PlatformToken />
    </Part>
  </OfficePage>
);
