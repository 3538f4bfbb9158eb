import { useCall } from '#web/office/data/use-office.ts';
import { ActButton } from '#web/office/parts/act-button.tsx';
import { EditButton } from '#web/office/parts/edit-button.tsx';
import { ListPart } from '#web/office/parts/list-part.tsx';
import { RecordView } from '#web/office/parts/member-value.tsx';
import { OfficePage, Part } from '#web/office/parts/office-page.tsx';
import { ReadingView } from '#web/office/parts/reading-view.tsx';

function WalletRules() {
  const rules = useCall('getWalletRules', {});
  return (
    <>
      <div class="office-acts">
        <EditButton
          id="putWalletRules"
          shows="getWalletRules"
          of={{}}
          label="Edit"
          title="Rules of the wallet"
          onDone={rules.reload}
        />
      </div>
      <ReadingView reading={rules}>{(value) => <RecordView record={value} />}</ReadingView>
    </>
  );
}

function Alone() {
  const alone = useCall('getAlone', {});
  return (
    <>
      <div class="office-acts">
        <EditButton
          id="putAlone"
          shows="getAlone"
          of={{}}
          label="Edit"
          title="Whether one operator runs the exchange alone"
          onDone={alone.reload}
        />
      </div>
      <ReadingView reading={alone}>{(value) => <RecordView record={value} />}</ReadingView>
    </>
  );
}

/** Bounds and protections of the wallet, and the prices that they are judged at. DEC-WEB-43. */
export const Page = () => (
  <OfficePage title="Rules and prices" scope="assets:read">
    <Part title="Rules of the wallet">
      <p class="soft">In production a change that lowers a protection waits for a second operator.</p>
      <WalletRules />
    </Part>
    <ListPart
      title="Prices for rules"
      id="listPrices"
      members={{ limit: 100 }}
      keyOf={({ asset }) => asset}
      empty="There is no asset."
      columns={[
        'asset',
        { title: 'Lower', cell: ({ lower }) => lower ?? '–', isRight: true },
        { title: 'Higher', cell: ({ higher }) => higher ?? '–', isRight: true },
        'reference',
      ]}
      rowActs={({ asset, reference }, reload) => (
        <>
          <EditButton
            id="putReferencePrice"
            shows="getReferencePrice"
            of={{ asset }}
            label="Set"
            title={`Reference price of ${asset}`}
            onDone={reload}
          />
          {reference === null ? null : (
            <ActButton
              id="removeReferencePrice"
              label="Remove"
              title={`Remove the reference price of ${asset}`}
              fixed={{ asset }}
              onDone={reload}
            />
          )}
        </>
      )}
    />
    <Part title="Alone or not">
      <Alone />
    </Part>
  </OfficePage>
);
