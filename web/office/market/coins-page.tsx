import { ActButton } from '#web/office/parts/act-button.tsx';
import { EditButton } from '#web/office/parts/edit-button.tsx';
import { ListPart } from '#web/office/parts/list-part.tsx';
import { OfficePage } from '#web/office/parts/office-page.tsx';

/** Assets that are listed, each with a way to its networks. */
export const Page = () => (
  <OfficePage title="Coins" scope="assets:read">
    <ListPart
      title="Coins"
      id="listAssets"
      members={{ limit: 100 }}
      keyOf={({ asset }) => asset}
      empty="No asset is listed."
      columns={[
        { title: 'Asset', cell: ({ asset }) => <a href={`/coins/${asset}`}>{asset}</a> },
        { title: 'Name', cell: ({ fullName }) => fullName, style: 'office-wide' },
        ...(['networks', 'scale', 'cap', 'delisted'] as const),
      ]}
      acts={(reload) => <ActButton id="putAsset" title="List an asset" onDone={reload} />}
      rowActs={({ asset, delisted }, reload) => (
        <>
          <EditButton
            id="putAsset"
            shows="getAsset"
            of={{ asset }}
            label="Edit"
            title={`Edit asset ${asset}`}
            onDone={reload}
          />
          {delisted ? null : (
            <ActButton
              id="delistAsset"
              label="Delist"
              title={`Delist asset ${asset}`}
              fixed={{ asset }}
              onDone={reload}
            />
          )}
        </>
      )}
    />
  </OfficePage>
);
