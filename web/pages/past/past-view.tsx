import { useState } from 'preact/hooks';
import { pairs } from '#web/data/markets.ts';
import type { Fill, Order } from '#web/data/orders.ts';
import { reasonOf } from '#web/data/refusal.ts';
import { saveFile } from '#web/data/save-file.ts';
import { type PastFilter, type ReadPast, readPastFills, readPastOrders } from '#web/data/trade-history.ts';
import { usePast } from '#web/data/use-past.ts';
import { Button } from '#web/design/button.tsx';
import { beginOfDay, DateField, endOfDay } from '#web/design/date-field.tsx';
import { ChoiceField } from '#web/design/field.tsx';
import { Failure, Loading } from '#web/design/states.tsx';
import { type Column, Table } from '#web/design/table.tsx';
import { say } from '#web/design/toasts.tsx';
import { fillColumns, orderColumns } from '#web/pages/past/past-columns.tsx';
import { fillCsv, orderCsv } from '#web/pages/past/past-csv.ts';
import '#web/pages/past/past.css';

/** What is listed of the past, and how. */
interface PastKind<Row> {
  readonly label: string;
  readonly file: string;
  readonly read: ReadPast<Row>;
  readonly columns: readonly Column<Row>[];
  readonly csv: (rows: readonly Row[]) => string;
  /** How far the API reaches. */
  readonly reach: string;
}

const orders: PastKind<Order> = {
  ...{ label: 'Finished orders', file: 'orders.csv', read: readPastOrders },
  ...{ columns: orderColumns, csv: orderCsv, reach: 'Orders are told for seven days.' },
};
const fills: PastKind<Fill> = {
  ...{ label: 'Fills', file: 'fills.csv', read: readPastFills },
  ...{ columns: fillColumns, csv: fillCsv, reach: 'Fills are told for thirty days.' },
};

interface PastViewProps<Row> {
  /** The pair to begin with. */
  readonly symbol: string;
  /** Rows of that pair that come by themselves; `null`: none do. */
  readonly live?: readonly Row[] | null;
}

interface Days {
  readonly symbol: string;
  readonly from: string;
  readonly to: string;
}

interface FiltersProps {
  readonly days: Days;
  readonly onChange: (changes: Partial<Days>) => void;
  readonly onSave: (() => void) | null;
}

const Filters = ({ days, onChange, onSave }: FiltersProps) => (
  <div class="past-filters">
    <ChoiceField
      label="Pair"
      value={days.symbol}
      choices={(pairs.value ?? []).map(({ symbol, baseAsset, quoteAsset }) => ({
        value: symbol,
        text: `${baseAsset}/${quoteAsset}`,
      }))}
      onChoose={(symbol) => onChange({ symbol })}
    />
    <DateField label="From" value={days.from} onInput={(from) => onChange({ from })} />
    <DateField label="To" value={days.to} onInput={(to) => onChange({ to })} />
    <Button isSmall disabled={onSave === null} onClick={() => onSave?.()}>
      CSV
    </Button>
  </div>
);

function PastView<Row extends Order | Fill>({
  kind,
  symbol,
  live = null,
}: PastViewProps<Row> & { readonly kind: PastKind<Row> }) {
  const [days, setDays] = useState<Days>({ symbol, from: '', to: '' });
  const [isSaving, setSaving] = useState(false);
  const filter: PastFilter = { symbol: days.symbol, from: beginOfDay(days.from), to: endOfDay(days.to) };
  const past = usePast(kind.read, filter, days.symbol === symbol ? live : null);
  const save = async (): Promise<void> => {
    setSaving(true);
    try {
      saveFile(kind.file, kind.csv(await past.readAll()));
    } catch (error) {
      say(reasonOf(error), 'bad');
    }
    setSaving(false);
  };
  const { rows, fault } = past;
  return (
    <div class="past-view">
      <Filters
        days={days}
        onChange={(changes) => setDays({ ...days, ...changes })}
        onSave={rows === null || isSaving ? null : () => void save()}
      />
      {rows === null ? (
        fault === null ? (
          <Loading text={`Reading: ${kind.label}`} />
        ) : (
          <Failure text={fault} onRetry={past.readMore} />
        )
      ) : (
        <>
          <Table
            label={kind.label}
            columns={kind.columns}
            rows={rows}
            keyOf={({ id, side }) => `${id} ${side}`}
            empty="Nothing in this time."
          />
          <div class="past-foot">
            {fault === null ? null : <span role="alert">{fault}</span>}
            {past.hasMore ? (
              <Button isSmall disabled={past.isReading} onClick={past.readMore}>
                Older
              </Button>
            ) : (
              <span class="soft">That is all. {kind.reach}</span>
            )}
          </div>
        </>
      )}
    </div>
  );
}

/** Finished orders by pair and days. DEC-WEB-19. */
export const PastOrders = (props: PastViewProps<Order>) => <PastView kind={orders} {...props} />;

/** Fills by pair and days. DEC-WEB-19. */
export const PastFills = (props: PastViewProps<Fill>) => <PastView kind={fills} {...props} />;
