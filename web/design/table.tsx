import type { ComponentChildren } from 'preact';
import { Empty } from '#web/design/states.tsx';

/** A column: its head, and the cell of a row. The first column names the row. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers stand at the right. */
  readonly isRight?: boolean;
  /** Class of its cells. */
  readonly style?: string;
}

interface TableProps<Row> {
  /** What the table lists, for those who hear it. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** What stands there without rows. */
  readonly empty: string;
}

const styleOf = <Row,>({ isRight = false, style = '' }: Column<Row>): string =>
  `${isRight ? 'right' : ''} ${style}`.trim();

/** Rows under heads; wide ones scroll sideways within their frame. */
export function Table<Row>({ label, columns, rows, keyOf, empty }: TableProps<Row>) {
  if (rows.length === 0) return <Empty text={empty} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what is wider than its frame
    <section class="table-frame" tabIndex={0} aria-label={label}>
      <table class="table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" class={styleOf(column)}>
                {column.title === '' ? <span class="unseen">Acts</span> : column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.title} scope="row" class={styleOf(column)}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.title} class={styleOf(column)}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
