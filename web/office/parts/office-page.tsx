import type { ComponentChildren } from 'preact';
import { Empty } from '#web/design/states.tsx';
import { mayDo } from '#web/office/operator-session.ts';

interface OfficePageProps {
  readonly title: string;
  /** Scope without which nothing of it can be read. */
  readonly scope: string | null;
  /** Acts, beside the title. */
  readonly acts?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A page of the back office; to a token that does not open it, it says so. DEC-WEB-41. */
export const OfficePage = ({ title, scope, acts, children }: OfficePageProps) => (
  <div class="office-page">
    <div class="office-head">
      <h1>{title}</h1>
      {acts === undefined || !mayDo(scope) ? null : <div class="office-acts">{acts}</div>}
    </div>
    {mayDo(scope) ? children : <Empty text={`Your token does not open this page: it lacks the scope ${scope}.`} />}
  </div>
);

interface PartProps {
  readonly title: string;
  /** Scope without which it is not read; default: that of its page. */
  readonly scope?: string;
  readonly acts?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A part of a page, in a card. Without the scope its content is not there, and reads nothing. */
export const Part = ({ title, scope, acts, children }: PartProps) => (
  <div class="card office-part">
    <div class="office-part-head">
      <h2>{title}</h2>
      {acts === undefined ? null : <div class="office-acts">{acts}</div>}
    </div>
    {scope === undefined || mayDo(scope) ? children : <Empty text={`Your token lacks the scope ${scope}.`} />}
  </div>
);
