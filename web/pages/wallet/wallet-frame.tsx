import type { ComponentChildren } from 'preact';
import { walletLinks } from '#web/pages/wallet/wallet-links.ts';
import { SectionFrame } from '#web/shell/section-frame.tsx';
import '#web/pages/wallet/wallet.css';

/** What the pages of the wallet stand in. */
export const WalletFrame = ({ title, children }: { readonly title: string; readonly children: ComponentChildren }) => (
  <SectionFrame label="Wallet" links={walletLinks} title={title} invitation="Your wallet is here once you sign in.">
    {children}
  </SectionFrame>
);
