import { ActButton } from '#web/office/parts/act-button.tsx';
import { EditButton } from '#web/office/parts/edit-button.tsx';
import { ListPart } from '#web/office/parts/list-part.tsx';
import { OfficePage } from '#web/office/parts/office-page.tsx';
import type { PathParts } from '#web/shell/router.ts';

/** Networks of an asset: fees, bounds and switches. DEC-WEB-43. */
export const Page = ({ parts }: { readonly parts: PathParts }) => {
  const asset = parts['asset'] as string;
  return (
    <OfficePage title={`Networks of ${asset}`} scope="assets:read">
      <ListPart
        title="Networks"
        id="listAssetNetworks"
        members={{ asset }}
        keyOf={({ network }) => network}
        empty="It is on no network."
        columns={[
          'network',
          { title: 'Name', cell: ({ label }) => label },
          ...([
            'depositEnabled',
            'withdrawEnabled',
            'withdrawFee',
            'withdrawMin',
            'withdrawMax',
            'depositMin',
          ] as const),
          'minConfirm',
          { title: 'Contract', cell: ({ contract }) => contract ?? '–', style: 'office-wide' },
        ]}
        acts={(reload) => (
          <ActButton
            id="putAssetNetwork"
            label="Add a network"
            title={`Add a network of ${asset}`}
            fixed={{ asset }}
            onDone={reload}
          />
        )}
        rowActs={({ network }, reload) => (
          <EditButton
            id="changeAssetNetwork"
            shows="getAssetNetwork"
            of={{ asset, network }}
            label="Edit"
            title={`Edit ${asset} on ${network}`}
            onDone={reload}
          />
        )}
      />
    </OfficePage>
  );
};
