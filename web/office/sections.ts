import { sandboxSections } from '#web/office/sandbox/sandbox-pages.ts';
import { exchange } from '#web/shell/exchange-facts.ts';

/** A page of the back office that its index leads to. */
export interface Section {
  readonly href: string;
  readonly title: string;
  /** Scope without which nothing of it can be read. */
  readonly scope: string | null;
}

interface SectionGroup {
  readonly title: string;
  readonly sections: readonly Section[];
}

/** The index of the back office, in groups; that of the sandbox is there in a sandbox alone, before the others. */
export const sectionGroups: readonly SectionGroup[] = [
  { title: '', sections: [{ href: '/', title: 'Overview', scope: null }] },
  ...(exchange.profile === 'sandbox' ? [{ title: 'Sandbox', sections: sandboxSections }] : []),
  {
    title: 'Money',
    sections: [
      { href: '/withdrawals', title: 'Withdrawals', scope: 'withdrawals:read' },
      { href: '/deposits', title: 'Deposits', scope: 'deposits:read' },
      { href: '/safety', title: 'Safety', scope: 'withdrawals:read' },
      { href: '/solvency', title: 'Solvency', scope: 'ledger:read' },
    ],
  },
  {
    title: 'Customers',
    sections: [
      { href: '/accounts', title: 'Accounts', scope: 'accounts:read' },
      { href: '/rebates', title: 'Rebates', scope: 'rebates:read' },
      { href: '/bans', title: 'Bans', scope: 'bans:read' },
      { href: '/rate-limits', title: 'Rate limits', scope: 'limits:read' },
    ],
  },
  {
    title: 'Market',
    sections: [
      { href: '/pairs', title: 'Pairs', scope: 'pairs:read' },
      { href: '/fees', title: 'Fees', scope: 'pairs:read' },
      { href: '/coins', title: 'Coins', scope: 'assets:read' },
      { href: '/rules', title: 'Rules and prices', scope: 'assets:read' },
      { href: '/contracts', title: 'Contracts', scope: 'contracts:read' },
    ],
  },
  {
    title: 'House',
    sections: [
      { href: '/proposals', title: 'Proposals', scope: 'assets:read' },
      { href: '/acts', title: 'Acts', scope: 'acts:read' },
      { href: '/tokens', title: 'Tokens', scope: 'tokens:write' },
      { href: '/webhooks', title: 'Webhooks', scope: 'webhooks:read' },
      { href: '/backups', title: 'Backups', scope: 'backups:read' },
      { href: '/performance', title: 'Performance', scope: null },
    ],
  },
];
