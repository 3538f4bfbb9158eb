import type { ComponentChildren } from 'preact';
import { Button } from '#web/design/button.tsx';
import { Failure, Loading } from '#web/design/states.tsx';
import { type Column, Table } from '#web/design/table.tsx';
import type { Listing, Reading } from '#web/office/data/use-office.ts';

interface ReadingViewProps<Value> {
  readonly reading: Reading<Value>;
  readonly children: (value: Value) => ComponentChildren;
}

/** What was read, or that it is on its way or could not be read. */
export function ReadingView<Value>({ reading: { value, fault, reload }, children }: ReadingViewProps<Value>) {
  if (fault !== null) return <Failure text={fault} onRetry={reload} />;
  if (value === null) return <Loading />;
  return <>{children(value)}</>;
}

interface ListViewProps<Each> {
  readonly list: Listing<Each>;
  readonly label: string;
  readonly columns: readonly Column<Each>[];
  readonly keyOf: (item: Each) => string;
  readonly empty: string;
}

/** A list as a table whose rows open what their first cells lead to, with a way to read on. */
export const ListView = <Each,>({ list, label, columns, keyOf, empty }: ListViewProps<Each>) => (
  <ReadingView reading={list}>
    {(rows) => (
      <>
        <Table label={label} columns={columns} rows={rows} keyOf={keyOf} empty={empty} hasOpeningRows />
        {list.more === null ? null : (
          <div class="office-more">
            <Button isSmall onClick={list.more}>
              Show more
            </Button>
          </div>
        )}
      </>
    )}
  </ReadingView>
);
