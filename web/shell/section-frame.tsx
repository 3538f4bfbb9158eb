import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { followAccount } from '#web/data/account.ts';
import { session } from '#web/data/session.ts';
import { Button } from '#web/design/button.tsx';
import { Empty } from '#web/design/states.tsx';
import { path } from '#web/shell/router.ts';
import '#web/shell/section.css';
import { openSignIn } from '#web/shell/sign-in.tsx';

/** A page of a section. */
export interface SectionLink {
  readonly href: string;
  readonly title: string;
}

interface SectionFrameProps {
  readonly label: string;
  readonly links: readonly SectionLink[];
  readonly title: string;
  /** What whoever is not signed in is told. */
  readonly invitation: string;
  readonly children: ComponentChildren;
}

const isHere = (href: string): boolean =>
  path.value === href || (href.split('/').length > 2 && path.value.startsWith(`${href}/`));

/** Pages of an account side by side, which show nothing until somebody is signed in. */
export function SectionFrame({ label, links, title, invitation, children }: SectionFrameProps) {
  useEffect(() => followAccount(), []);
  return (
    <div class="section-page">
      <nav class="section-nav" aria-label={label}>
        {links.map(({ href, title: name }) => (
          <a key={href} href={href} aria-current={isHere(href) ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <h1>{title}</h1>
      {session.value === null ? (
        <div class="card">
          <Empty text={invitation}>
            <Button kind="primary" onClick={openSignIn}>
              Sign in to go on
            </Button>
          </Empty>
        </div>
      ) : (
        // Whoever signs in as somebody else begins with empty forms.
        <div key={session.value.accessKey} class="section-body">
          {children}
        </div>
      )}
    </div>
  );
}
