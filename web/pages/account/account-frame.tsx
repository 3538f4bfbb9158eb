import type { ComponentChildren } from 'preact';
import { SectionFrame } from '#web/shell/section-frame.tsx';

const links = [
  { href: '/account', title: 'Overview' },
  { href: '/account/sub-accounts', title: 'Sub-accounts' },
  { href: '/account/keys', title: 'API keys' },
  { href: '/account/stp-groups', title: 'STP groups' },
  { href: '/account/invitations', title: 'Invitations' },
];

/** What the pages of the account stand in. */
export const AccountFrame = ({ title, children }: { readonly title: string; readonly children: ComponentChildren }) => (
  <SectionFrame label="Account" links={links} title={title} invitation="Your account is here once you sign in.">
    {children}
  </SectionFrame>
);
