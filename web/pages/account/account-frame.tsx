import type { ComponentChildren } from 'preact';
import { accountLinks } from '#web/pages/account/account-links.ts';
import { SectionFrame } from '#web/shell/section-frame.tsx';

/** What the pages of the account stand in. */
export const AccountFrame = ({ title, children }: { readonly title: string; readonly children: ComponentChildren }) => (
  <SectionFrame label="Account" links={accountLinks} title={title} invitation="Your account is here once you sign in.">
    {children}
  </SectionFrame>
);
