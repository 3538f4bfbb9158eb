import type { ChangedMember } from '#web/office/data/member-texts.ts';
import { labelOf } from '#web/office/data/member-texts.ts';
import type { AnyMembers } from '#web/office/data/office-calls.ts';
import { MemberValue } from '#web/office/parts/member-value.tsx';

interface ActSummaryProps {
  readonly fixed: AnyMembers;
  readonly changes: readonly ChangedMember[];
  /** Whether a thing is edited: then each member stands beside what it was. */
  readonly isEdit: boolean;
  readonly reason: string;
}

/** What an act is about to do, before it is done. DEC-WEB-42. */
export const ActSummary = ({ fixed, changes, isEdit, reason }: ActSummaryProps) => (
  <table class="table office-summary">
    <caption class="unseen">What is about to be done</caption>
    <thead>
      <tr>
        <th scope="col">Member</th>
        {isEdit ? <th scope="col">Now</th> : null}
        <th scope="col">{isEdit ? 'Then' : 'Value'}</th>
      </tr>
    </thead>
    <tbody>
      {Object.entries(fixed).map(([name, value]) => (
        <tr key={name}>
          <th scope="row">{labelOf(name)}</th>
          <td colSpan={isEdit ? 2 : 1}>
            <MemberValue name={name} value={value} />
          </td>
        </tr>
      ))}
      {changes.map(({ name, before, after }) => (
        <tr key={name}>
          <th scope="row">{labelOf(name)}</th>
          {isEdit ? (
            <td>
              <del>
                <MemberValue name={name} value={before} />
              </del>
            </td>
          ) : null}
          <td>
            {isEdit ? (
              <ins>
                <MemberValue name={name} value={after} />
              </ins>
            ) : (
              <MemberValue name={name} value={after} />
            )}
          </td>
        </tr>
      ))}
      <tr>
        <th scope="row">Reason</th>
        <td colSpan={isEdit ? 2 : 1}>{reason}</td>
      </tr>
    </tbody>
  </table>
);
