import { useState } from 'preact/hooks';
import type { AnswerOf } from '#client/client.ts';
import { sumOf } from '#web/data/amounts.ts';
import { useAct, useAnswer } from '#web/data/use-answer.ts';
import { valuedIn } from '#web/data/worth.ts';
import { Button } from '#web/design/button.tsx';
import { ConfirmDialog } from '#web/design/confirm-dialog.tsx';
import { type Column, Table } from '#web/design/table.tsx';
import { say } from '#web/design/toasts.tsx';
import { NumberText, Sum } from '#web/design/values.tsx';
import { WalletFrame } from '#web/pages/wallet/wallet-frame.tsx';
import { WhenRead } from '#web/shell/when-read.tsx';

type Dust = AnswerOf<'convertible'>[number];
type Left = AnswerOf<'convert'>['failedList'];

/** What the exchange takes at once. */
const assetsMax = 15;
const token = 'SVC';

interface DustListProps {
  readonly rows: readonly Dust[];
  readonly onDone: () => void;
}

/** What was not converted, and why. */
const LeftOut = ({ left }: { readonly left: Left }) =>
  left.length === 0 ? null : (
    <div class="warning" role="status">
      {left.map(({ asset, message, code }) => (
        <p key={asset}>
          {asset}: {message} (code {code})
        </p>
      ))}
    </div>
  );

/** Small balances to choose from; what is chosen becomes the platform's token. DEC-WEB-35. */
function DustList({ rows, onDone }: DustListProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isInReview, setInReview] = useState(false);
  const [left, setLeft] = useState<Left>([]);
  const act = useAct();
  const picked = rows.filter(({ asset }) => chosen.has(asset));
  const turn = (asset: string): void => {
    const next = new Set(chosen);
    if (!next.delete(asset)) next.add(asset);
    setChosen(next);
  };
  const columns: readonly Column<Dust>[] = [
    {
      title: 'Asset',
      cell: ({ asset }) => (
        <label class="choice">
          <input
            type="checkbox"
            checked={chosen.has(asset)}
            disabled={!chosen.has(asset) && chosen.size >= assetsMax}
            onChange={() => turn(asset)}
          />
          {asset}
        </label>
      ),
    },
    { title: 'Balance', isRight: true, cell: ({ balance }) => <NumberText value={balance} /> },
    { title: `Worth in ${valuedIn}`, isRight: true, cell: ({ convertUsdt }) => <NumberText value={convertUsdt} /> },
    { title: `Becomes ${token}`, isRight: true, cell: ({ convertSvc }) => <NumberText value={convertSvc} /> },
  ];
  const close = (): void => setInReview(false);
  const convert = async (): Promise<void> => {
    const isDone = await act.run(async (client) => {
      const { totalConvert, failedList } = await client.convert({ asset: picked.map(({ asset }) => asset) });
      setLeft(failedList);
      say(`Became ${totalConvert} ${token}.`, 'good');
    });
    if (!isDone) return;
    close();
    setChosen(new Set());
    onDone();
  };
  return (
    <>
      <LeftOut left={left} />
      <div class="card">
        <Table
          label="Small balances"
          columns={columns}
          rows={rows}
          keyOf={({ asset }) => asset}
          empty="There is no balance small enough, or the conversions of today are used up."
        />
        {rows.length === 0 ? null : (
          <div class="panel-head">
            <span class="soft">At most {assetsMax} at once.</span>
            <Button
              kind="primary"
              disabled={picked.length === 0}
              onClick={() => {
                act.forget();
                setInReview(true);
              }}
            >
              Review
            </Button>
          </div>
        )}
      </div>
      {isInReview ? (
        <ConfirmDialog
          title={`Convert to ${token}`}
          act="Convert"
          facts={[
            ['Assets', picked.map(({ asset }) => asset).join(', ')],
            ['Worth', <Sum value={sumOf(picked.map(({ convertUsdt }) => convertUsdt))} coin={valuedIn} />],
            ['Becomes about', <Sum value={sumOf(picked.map(({ convertSvc }) => convertSvc))} coin={token} />, 'strong'],
          ]}
          isBusy={act.isBusy}
          refused={act.refusal?.text ?? null}
          onConfirm={() => void convert()}
          onClose={close}
        >
          <p class="note">The fee is inside. Prices are those of the moment of the conversion.</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}

function Dusts() {
  const answer = useAnswer((client) => client.convertible(), []);
  return (
    <WhenRead answer={answer} what="small balances">
      {(rows) => <DustList rows={rows} onDone={answer.reload} />}
    </WhenRead>
  );
}

/** Turns small balances into the platform's token. DEC-WEB-35. */
export const Page = () => (
  <WalletFrame title="Small balances">
    <Dusts />
  </WalletFrame>
);
