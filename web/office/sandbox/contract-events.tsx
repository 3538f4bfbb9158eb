import { useState } from 'preact/hooks';
import { NumberText } from '#web/design/values.tsx';
import type { Item } from '#web/office/data/office-calls.ts';
import { AccountLink } from '#web/office/parts/links.tsx';
import { ListPart } from '#web/office/parts/list-part.tsx';
import { RecordView } from '#web/office/parts/member-value.tsx';
import { Part } from '#web/office/parts/office-page.tsx';
import { ControlButton } from '#web/office/sandbox/control-button.tsx';
import { ControlForm } from '#web/office/sandbox/control-form.tsx';
import { MarketField } from '#web/office/sandbox/market-field.tsx';

type Position = Item<'listContractPositions'>;

const everyMs = 2000;
const shownPositions = 20;

const columns = [
  { title: 'Account', cell: ({ uid }: Position) => <AccountLink uid={uid} /> },
  { title: 'Contracts', cell: ({ lots }: Position) => <NumberText value={String(lots)} />, isRight: true },
  { title: 'Leverage', cell: ({ leverage }: Position) => `${leverage} ×`, isRight: true },
  {
    title: 'Liquidation price',
    cell: ({ liquidationPrice }: Position) => <NumberText value={liquidationPrice} />,
    isRight: true,
  },
  { title: 'Unrealised', cell: ({ unrealised }: Position) => <NumberText value={unrealised} />, isRight: true },
];

/** A funding of a contract, on demand and at a rate of choice. */
export const Funding = ({ contracts }: { readonly contracts: readonly string[] }) => (
  <Part title="Funding">
    <p class="soft">The clock is advanced to the next full hour, where the contract is settled.</p>
    <ControlForm
      id="settleFunding"
      act="Settle it"
      choices={{ contract: contracts }}
      done={({ contract, rate }) => `${contract} was settled at ${rate}.`}
      show={(answer) => <RecordView record={answer} />}
    />
  </Part>
);

/** Positions of a contract, each of which can be brought to its liquidation. */
export function Liquidations({ contracts }: { readonly contracts: readonly string[] }) {
  const [chosen, setChosen] = useState('');
  const contract = contracts.includes(chosen) ? chosen : (contracts[0] ?? '');
  if (contract === '') return null;
  return (
    <ListPart
      title="Liquidations"
      id="listContractPositions"
      scope="contracts:read"
      members={{ contract, limit: shownPositions }}
      everyMs={everyMs}
      columns={columns}
      keyOf={({ uid, openedAt }) => `${uid}-${openedAt}`}
      empty="Nobody has a position in it."
      acts={() => <MarketField label="Contract" value={contract} names={contracts} onInput={setChosen} />}
      rowActs={(position, reload) =>
        position.uid === null || position.liquidationPrice === null ? null : (
          <ControlButton
            id="liquidatePosition"
            members={{ uid: position.uid, contract }}
            label={`Liquidate the position of ${position.uid}`}
            done={`An index price beyond ${position.liquidationPrice} is given for some seconds.`}
            onDone={reload}
          >
            Liquidate
          </ControlButton>
        )
      }
    />
  );
}
