import type { ComponentChildren } from 'preact';
import { SectionFrame } from '#web/shell/section-frame.tsx';
import '#web/pages/wallet/wallet.css';

const links = [
  { href: '/wallet', title: 'Balances' },
  { href: '/wallet/deposit', title: 'Deposit' },
  { href: '/wallet/withdraw', title: 'Withdraw' },
  { href: '/wallet/transfer', title: 'Transfer' },
  { href: '/wallet/dust', title: 'Small balances' },
  { href: '/wallet/history', title: 'History' },
];

/** What the pages of the wallet stand in. */
export const WalletFrame = ({ title, children }: { readonly title: string; readonly children: ComponentChildren }) => (
  <SectionFrame label="Wallet" links={links} title={title} invitation="Your wallet is here once you sign in.">
    {children}
  </SectionFrame>
);
