import { ActButton } from '#web/office/parts/act-button.tsx';
import { EditButton } from '#web/office/parts/edit-button.tsx';
import { ListPart } from '#web/office/parts/list-part.tsx';
import { RecordView } from '#web/office/parts/member-value.tsx';
import { OfficePage } from '#web/office/parts/office-page.tsx';

/** Changes that lower a protection and wait for a second operator. DEC-WEB-45. */
export const Page = () => (
  <OfficePage title="Proposals" scope="assets:read">
    <ListPart
      title="Proposals"
      id="listProposals"
      members={{ limit: 100 }}
      everyMs={5000}
      keyOf={({ proposal }) => String(proposal)}
      empty="Nothing was proposed."
      columns={[
        ...(['proposal', 'state', 'changes', 'asset', 'network', 'lowered'] as const),
        {
          title: 'Change',
          cell: ({ change }) => (change === null ? 'removal' : <RecordView record={change} />),
          style: 'office-wide',
        },
        ...(['madeBy', 'madeAt', 'endsAt', 'decidedBy'] as const),
      ]}
      rowActs={({ proposal, state }, reload) =>
        state !== 'open' ? null : (
          <>
            <EditButton
              id="reviewProposal"
              shows="getProposal"
              of={{ proposal }}
              fixed={{ decision: 'approve' }}
              members={[]}
              kind="buy"
              label="Approve"
              title={`Approve proposal ${proposal}`}
              onDone={reload}
            />
            <ActButton
              id="cancelProposal"
              label="Cancel"
              title={`Cancel proposal ${proposal}`}
              fixed={{ proposal }}
              onDone={reload}
            />
          </>
        )
      }
    />
  </OfficePage>
);
