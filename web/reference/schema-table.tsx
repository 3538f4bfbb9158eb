import { ScrollFrame } from '#web/design/scroll-frame.tsx';
import { Prose } from '#web/reference/prose.tsx';
import { rowsOf, type Schema } from '#web/reference/schema-rows.ts';

/** What stands before the name of a member within others. */
const indent = (depth: number): string => '\u2003'.repeat(depth);

/** The members of what is sent or answered. */
export function SchemaTable({ label, schema }: { readonly label: string; readonly schema: Schema }) {
  const rows = rowsOf(schema);
  if (rows.length === 0) return null;
  return (
    <ScrollFrame style="table-frame" label={label}>
      <table class="table member-table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Type</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ path, depth, name, type, about, values, isOptional }) => (
            <tr key={path}>
              <th scope="row">
                {indent(depth)}
                <code>{name}</code>
              </th>
              <td class="soft">
                {type}
                {isOptional ? <span class="may-lack"> may lack</span> : null}
              </td>
              <td class="wrap">
                <Prose text={about} />{' '}
                {values.map((value) => (
                  <code key={value}>{value === '""' ? 'empty' : value}</code>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  );
}
