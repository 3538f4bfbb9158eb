/** A page that every head leads to. */
export interface SiteLink {
  readonly href: string;
  readonly title: string;
  /** Paths below it are its own. */
  readonly under?: string;
}

/** Pages of the public port. */
export const publicLinks: readonly SiteLink[] = [
  { href: '/', title: 'Markets' },
  { href: '/trade', title: 'Trade', under: '/trade/' },
  { href: '/contracts', title: 'Contracts', under: '/contracts/' },
  { href: '/wallet', title: 'Wallet', under: '/wallet/' },
  { href: '/account', title: 'Account', under: '/account/' },
  { href: '/docs/', title: 'REST API', under: '/docs/' },
  { href: '/docs/streams', title: 'Streams' },
];

/** Pages of the operator port. */
export const officeLinks: readonly SiteLink[] = [
  { href: '/', title: 'Overview' },
  { href: '/docs/', title: 'Operator API', under: '/docs/' },
];
