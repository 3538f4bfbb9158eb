import { useState } from 'preact/hooks';
import type { AnswerOf, BourseClient } from '#client/client.ts';
import { useAnswer } from '#web/data/use-answer.ts';
import { valuedIn } from '#web/data/worth.ts';
import { Button } from '#web/design/button.tsx';
import { CopyButton } from '#web/design/copy-button.tsx';
import { type Column, Table } from '#web/design/table.tsx';
import { Tabs } from '#web/design/tabs.tsx';
import { NumberText, TimeText } from '#web/design/values.tsx';
import { AccountFrame } from '#web/pages/account/account-frame.tsx';
import { WhenRead } from '#web/shell/when-read.tsx';

type Invited = AnswerOf<'rebateSummary'>['data'][number];
type Rebate = AnswerOf<'rebateDetail'>['data'][number];

/** A page of a report. */
interface ReportPage<Row> {
  readonly totalRecords: number;
  readonly totalPageNum: number;
  readonly data: readonly Row[];
}

const invitedColumns: readonly Column<Invited>[] = [
  { title: 'Account', cell: ({ account }) => account },
  { title: 'Number', cell: ({ uid }) => <span class="number">{uid}</span> },
  { title: 'Came', cell: ({ inviteTime }) => <TimeText at={inviteTime} /> },
  { title: `Spot, ${valuedIn}`, isRight: true, cell: ({ spot }) => <NumberText value={spot} /> },
  { title: `Contracts, ${valuedIn}`, isRight: true, cell: ({ futures }) => <NumberText value={futures} /> },
  { title: `Together, ${valuedIn}`, isRight: true, cell: ({ total }) => <NumberText value={total} /> },
];

const rebateColumns: readonly Column<Rebate>[] = [
  { title: 'Traded', cell: ({ tradeTime }) => <TimeText at={tradeTime} /> },
  { title: 'Account', cell: ({ account }) => account },
  { title: 'Market', cell: ({ type }) => (type === 'futures' ? 'Contracts' : type === 'spot' ? 'Spot' : 'ETF') },
  { title: 'Rate', isRight: true, cell: ({ rate }) => <NumberText value={rate} /> },
  {
    title: 'Amount',
    isRight: true,
    cell: ({ amount, asset }) => (
      <>
        <NumberText value={amount} /> {asset}
      </>
    ),
  },
  { title: 'Paid', cell: ({ updateTime }) => <TimeText at={updateTime} /> },
];

interface ReportProps<Row> {
  readonly name: string;
  readonly read: (client: BourseClient, page: number) => Promise<ReportPage<Row>>;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly empty: string;
}

/** A report by pages. */
function Report<Row>({ name, read, columns, keyOf, empty }: ReportProps<Row>) {
  const [page, setPage] = useState(1);
  const answer = useAnswer((client) => read(client, page), [name, page]);
  return (
    <WhenRead answer={answer} what={name}>
      {({ data, totalPageNum, totalRecords }) => (
        <>
          <Table label={name} columns={columns} rows={data} keyOf={keyOf} empty={empty} />
          {totalPageNum <= 1 ? null : (
            <div class="panel-head">
              <span class="soft">
                Page {page} of {totalPageNum}, {totalRecords} in all
              </span>
              <span class="acts">
                <Button isSmall disabled={page <= 1} onClick={() => setPage(page - 1)}>
                  Newer
                </Button>
                <Button isSmall disabled={page >= totalPageNum} onClick={() => setPage(page + 1)}>
                  Older
                </Button>
              </span>
            </div>
          )}
        </>
      )}
    </WhenRead>
  );
}

const rebateKey = ({ uid, asset, amount, tradeTime, rate }: Rebate): string =>
  `${tradeTime} ${uid} ${asset} ${amount} ${rate}`;

const reports = {
  invited: (
    <Report
      name="Whom you invited"
      read={(client, page) => client.rebateSummary({ page })}
      columns={invitedColumns}
      keyOf={({ uid }) => uid}
      empty="Nobody whom you invited earned you anything in the last year."
    />
  ),
  rebates: (
    <Report
      name="What they earned you"
      read={(client, page) => client.rebateDetail({ page })}
      columns={rebateColumns}
      keyOf={rebateKey}
      empty="No rebate in the last year."
    />
  ),
  kickbacks: (
    <Report
      name="What you got back"
      read={(client, page) => client.kickbackDetail({ page })}
      columns={rebateColumns}
      keyOf={rebateKey}
      empty="Whoever invited you gave nothing back in the last year."
    />
  ),
} as const;

type ReportName = keyof typeof reports;

const tabs: readonly { readonly id: ReportName; readonly title: string }[] = [
  { id: 'invited', title: 'Whom you invited' },
  { id: 'rebates', title: 'What they earned you' },
  { id: 'kickbacks', title: 'What you got back' },
];

function Code() {
  const answer = useAnswer((client) => client.referCode(), []);
  return (
    <div class="card panel narrow">
      <span class="soft">Your code: accounts that are opened with it are those that you invited.</span>
      <WhenRead answer={answer} what="the code">
        {({ referCode }) => (
          <span class="acts">
            <b class="refer-code">{referCode}</b>
            <CopyButton text={referCode} what="code" />
          </span>
        )}
      </WhenRead>
    </div>
  );
}

function Invitations() {
  const [name, setName] = useState<ReportName>('invited');
  return (
    <>
      <Code />
      <div class="card">
        <div class="panel-head">
          <Tabs label="Reports" tabs={tabs} chosen={name} onChoose={setName} />
        </div>
        <div key={name}>{reports[name]}</div>
        <p class="panel-foot">Of the last year. Rebates of a day are paid at the midnight after it, in UTC.</p>
      </div>
    </>
  );
}

/** The code under which one invites, whom it brought, and what they earned. DEC-WEB-38. */
export const Page = () => (
  <AccountFrame title="Invitations">
    <Invitations />
  </AccountFrame>
);
