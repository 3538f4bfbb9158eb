import { Table } from '#web/design/table.tsx';
import { useCall } from '#web/office/data/use-office.ts';
import type { Answer } from '#web/office/data/office-calls.ts';
import { ActButton } from '#web/office/parts/act-button.tsx';
import { memberColumns } from '#web/office/parts/member-columns.tsx';
import { RecordView } from '#web/office/parts/member-value.tsx';
import { OfficePage, Part } from '#web/office/parts/office-page.tsx';
import { ReadingView } from '#web/office/parts/reading-view.tsx';

type Safety = Answer<'getSafety'>;
type Unknown = Safety['unknownPayments'][number];
type Lost = Safety['lostPayments'][number];
type Network = Safety['networks'][number];

const everyMs = 5000;

const unknownColumns = (onDone: () => void) => [
  ...memberColumns<Unknown>(['foundAt', 'network', 'payment', 'asset', 'amount', 'address', 'booking']),
  { title: 'To do', cell: ({ toDo }: Unknown) => toDo ?? '–', style: 'office-wide' },
  {
    title: '',
    cell: (payment: Unknown) =>
      payment.booking !== null ? null : (
        <ActButton
          id="bookPayment"
          label="Book"
          title={`Book payment ${payment.payment} of ${payment.network}`}
          fixed={{ network: payment.network, payment: payment.payment }}
          onDone={onDone}
        />
      ),
  },
];

const lostColumns = (onDone: () => void) => [
  ...memberColumns<Lost>(['lostAt', 'withdrawal', 'uid', 'asset', 'network', 'amount', 'booking']),
  { title: 'To do', cell: ({ toDo }: Lost) => toDo ?? '–', style: 'office-wide' },
  {
    title: '',
    cell: (lost: Lost) =>
      lost.booking !== null ? null : (
        <ActButton
          id="bookLostPayment"
          label="Book"
          title={`Book the lost payment of withdrawal ${lost.withdrawal}`}
          fixed={{ withdrawal: lost.withdrawal }}
          onDone={onDone}
        />
      ),
  },
];

function Safety() {
  const safety = useCall('getSafety', {}, everyMs);
  return (
    <ReadingView reading={safety}>
      {({ profile, isAlone, openProposals, networks, unknownPayments, lostPayments }) => (
        <>
          <Part title="Protection">
            <RecordView record={{ profile, isAlone, openProposals }} />
          </Part>
          <Part title="Payments that the journal does not know">
            <p class="soft">
              After a restored backup the journal lacks what was paid since. Each such payment holds the withdrawals of
              its network until it is booked, so that nothing is paid twice.
            </p>
            <Table
              label="Unknown payments"
              columns={unknownColumns(safety.reload)}
              rows={unknownPayments}
              keyOf={({ network, payment }) => `${network} ${payment}`}
              empty="There is none."
            />
          </Part>
          <Part title="Payments that a reorganisation undid">
            <Table
              label="Lost payments"
              columns={lostColumns(safety.reload)}
              rows={lostPayments}
              keyOf={({ withdrawal }) => String(withdrawal)}
              empty="There is none."
            />
          </Part>
          <Part title="Networks">
            <Table
              label="Networks"
              columns={memberColumns<Network>(['network', 'isHeld', 'isGuarded', 'reason', 'waitsForFunds'])}
              rows={networks}
              keyOf={({ network }) => network}
              empty="There is no network."
            />
          </Part>
        </>
      )}
    </ReadingView>
  );
}

/** What holds withdrawals, and payments that wait for a booking. DEC-WEB-49. */
export const Page = () => (
  <OfficePage title="Safety" scope="withdrawals:read">
    <Safety />
  </OfficePage>
);
