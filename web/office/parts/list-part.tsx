import type { ComponentChildren } from 'preact';
import type { Column } from '#web/design/table.tsx';
import type { Item, ListId, Members } from '#web/office/data/office-calls.ts';
import { useList } from '#web/office/data/use-office.ts';
import { memberColumns } from '#web/office/parts/member-columns.tsx';
import { Part } from '#web/office/parts/office-page.tsx';
import { ListView } from '#web/office/parts/reading-view.tsx';

interface ListPartProps<Id extends ListId> {
  readonly title: string;
  readonly id: Id;
  readonly members: Members<Id>;
  /** Scope without which it is not read; default: that of its page. */
  readonly scope?: string;
  /** Columns: members by their names, and others. */
  readonly columns: readonly ((keyof Item<Id> & string) | Column<Item<Id>>)[];
  readonly keyOf: (item: Item<Id>) => string;
  readonly empty: string;
  /** Acts beside the title, and those of a row; `reload` reads the list again. */
  readonly acts?: (reload: () => void) => ComponentChildren;
  readonly rowActs?: (item: Item<Id>, reload: () => void) => ComponentChildren;
  readonly everyMs?: number;
}

function Content<Id extends ListId>(props: ListPartProps<Id>) {
  const { title, id, members, columns, keyOf, empty, acts, rowActs, everyMs = 0 } = props;
  type Each = Item<Id>;
  const list = useList(id, members, everyMs);
  const shown = columns.flatMap((column): readonly Column<Each>[] =>
    typeof column === 'string'
      ? (memberColumns<Each & object>([column as never]) as readonly Column<Each>[])
      : [column],
  );
  const last: readonly Column<Each>[] =
    rowActs === undefined
      ? []
      : [{ title: '', cell: (item) => <div class="office-acts">{rowActs(item, list.reload)}</div> }];
  return (
    <>
      {acts === undefined ? null : <div class="office-acts">{acts(list.reload)}</div>}
      <ListView list={list} label={title} columns={[...shown, ...last]} keyOf={keyOf} empty={empty} />
    </>
  );
}

/** A list of the operator API as a part of a page, with what can be done to it and to its items. */
export const ListPart = <Id extends ListId>(props: ListPartProps<Id>) => (
  <Part title={props.title} {...(props.scope === undefined ? {} : { scope: props.scope })}>
    <Content {...props} />
  </Part>
);
