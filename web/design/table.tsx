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
  /** A click anywhere on a row does what the link or button in its first cell does; keys reach that one itself. */
  readonly hasOpeningRows?: boolean;
}

const actable = 'a, button, input, select, textarea, label, dialog, summary';

/** Passes a click on a row on to the link or button that names it, unless it was for something of its own. */
function openRow(event: MouseEvent): void {
  const { target, currentTarget: row } = event;
  if (!(target instanceof Element) || !(row instanceof Element) || target.closest(actable) !== null) return;
  // Whoever marks text to copy it opens nothing.
  if (getSelection()?.isCollapsed === false) return;
  const { ctrlKey, metaKey, shiftKey } = event;
  const opener = row.querySelector('th > a, th > .button.link');
  opener?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
}

const styleOf = <Row,>({ isRight = false, style = '' }: Column<Row>): string =>
  `${isRight ? 'right' : ''} ${style}`.trim();

/** Rows under heads; wide ones scroll sideways within their frame. */
export function Table<Row>({ label, columns, rows, keyOf, empty, hasOpeningRows = false }: TableProps<Row>) {
  if (rows.length === 0) return <Empty text={empty} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what is wider than its frame
    <section class="table-frame" tabIndex={0} aria-label={label}>
      <table class={hasOpeningRows ? 'table opening' : 'table'}>
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
            <tr key={keyOf(row)} onClick={hasOpeningRows ? openRow : undefined}>
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
