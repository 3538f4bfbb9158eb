import type { SectionLink } from '#web/shell/section-frame.tsx';

/** Pages of the account. */
export const accountLinks: readonly SectionLink[] = [
  { href: '/account', title: 'Overview' },
  { href: '/account/sub-accounts', title: 'Sub-accounts' },
  { href: '/account/keys', title: 'API keys' },
  { href: '/account/stp-groups', title: 'STP groups' },
  { href: '/account/invitations', title: 'Invitations' },
];
