import { ActButton } from '#web/office/parts/act-button.tsx';
import { ListPart } from '#web/office/parts/list-part.tsx';
import { OfficePage } from '#web/office/parts/office-page.tsx';

/** Contracts with their prices and funds. */
export const Page = () => (
  <OfficePage title="Contracts" scope="contracts:read">
    <ListPart
      title="Contracts"
      id="listContracts"
      members={{ limit: 100 }}
      everyMs={10_000}
      keyOf={({ contract }) => contract}
      empty="No contract is listed."
      columns={[
        { title: 'Contract', cell: ({ contract }) => <a href={`/contracts/${contract}`}>{contract}</a> },
        { title: 'State', cell: ({ state }) => <span class={state === 'enabled' ? 'up' : 'down'}>{state}</span> },
        { title: 'Index', cell: ({ mark }) => mark?.index ?? '–', isRight: true },
        { title: 'Fair price', cell: ({ mark }) => mark?.fair ?? '–', isRight: true },
        { title: 'Open interest', cell: ({ mark }) => mark?.openInterest ?? '–', isRight: true },
        { title: 'Insurance fund', cell: ({ mark }) => mark?.fund ?? '–', isRight: true },
        ...(['makerFeePpm', 'takerFeePpm', 'fundingHours'] as const),
      ]}
      acts={(reload) => <ActButton id="putContract" title="List a contract" onDone={reload} />}
    />
  </OfficePage>
);
