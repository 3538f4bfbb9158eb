import type { SectionLink } from '#web/shell/section-frame.tsx';

/** Pages of the wallet. */
export const walletLinks: readonly SectionLink[] = [
  { href: '/wallet', title: 'Balances' },
  { href: '/wallet/deposit', title: 'Deposit' },
  { href: '/wallet/withdraw', title: 'Withdraw' },
  { href: '/wallet/transfer', title: 'Transfer' },
  { href: '/wallet/dust', title: 'Small balances' },
  { href: '/wallet/history', title: 'History' },
];
