/** Text of a cell: what could move the cursor of a terminal, or turn the direction of writing, is shown as `?`. */
export const safeText = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '?');

const lengthOf = (text: string): number => [...text].length;
const isNumber = (text: string): boolean => /^-?\d+(?:\.\d+)?$/.test(text);
const gap = '  ';

/** Lines of columns, as far as they are known: numbers to the right, everything else to the left. */
export class TextTable {
  private readonly names: readonly string[];
  private readonly widths: number[];
  /** Whether a column has numbers and nothing else; `null`: it has nothing yet. */
  private readonly areNumbers: (boolean | null)[];
  private isHeaded = false;

  /** `names`: of the columns. */
  constructor(names: readonly string[]) {
    this.names = names;
    this.widths = names.map(lengthOf);
    this.areNumbers = names.map(() => null);
  }

  /**
   * More rows as text, with the names of the columns above the first ones. Rows that come later may make a column
   * wider; those before stay as they are.
   */
  add(rows: readonly (readonly string[])[]): string {
    for (const row of rows) {
      row.forEach((cell, column) => {
        this.widths[column] = Math.max(this.widths[column]!, lengthOf(cell));
        if (cell !== '-') this.areNumbers[column] = this.areNumbers[column] !== false && isNumber(cell);
      });
    }
    const lines = this.isHeaded ? rows : [this.names, ...rows];
    this.isHeaded = true;
    return lines
      .map(
        (row) =>
          `${row
            .map((cell, column) => this.padded(cell, column))
            .join(gap)
            .trimEnd()}\n`,
      )
      .join('');
  }

  private padded(cell: string, column: number): string {
    const blanks = ' '.repeat(Math.max(0, this.widths[column]! - lengthOf(cell)));
    return this.areNumbers[column] ? blanks + cell : cell + blanks;
  }
}

/** How many of these columns fit beside each other, at least one. */
export function fittingColumns(widths: readonly number[], columns: number): number {
  let used = -gap.length;
  const first = widths.findIndex((width) => {
    used += gap.length + width;
    return used > columns;
  });
  return first < 0 ? widths.length : Math.max(1, first);
}
