import type { Column } from '#web/design/table.tsx';
import { labelOf } from '#web/office/data/member-texts.ts';
import { MemberValue } from '#web/office/parts/member-value.tsx';

/** Members whose values are amounts, whatever digits they have. */
const isAmountName =
  /amount|balance|fee|price|free|held|quantity|value|executed|sum|difference|custody|ledger|expected/i;

/** Columns of members by their names. */
export const memberColumns = <Row extends object>(names: readonly (keyof Row & string)[]): readonly Column<Row>[] =>
  names.map((name) => ({
    title: labelOf(name),
    cell: (row) => <MemberValue name={name} value={row[name]} />,
    isRight: isAmountName.test(name),
  }));
