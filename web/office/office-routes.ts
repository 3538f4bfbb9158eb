import { sandboxRoutes } from '#web/office/sandbox/sandbox-pages.ts';
import type { Route } from '#web/shell/router.ts';

const referencePage = () => import('#web/office/docs/reference-page.tsx');

/** All pages of the operator port. Each is in `src/operator-api/office-pages.ts` too, which serves it. */
export const officeRoutes: readonly Route[] = [
  { path: '/', title: 'Overview', load: () => import('#web/office/overview/overview-page.tsx') },
  { path: '/withdrawals', title: 'Withdrawals', load: () => import('#web/office/withdrawals/withdrawals-page.tsx') },
  { path: '/deposits', title: 'Deposits', load: () => import('#web/office/money/deposits-page.tsx') },
  { path: '/safety', title: 'Safety', load: () => import('#web/office/money/safety-page.tsx') },
  { path: '/solvency', title: 'Solvency', load: () => import('#web/office/money/solvency-page.tsx') },
  { path: '/accounts', title: 'Accounts', load: () => import('#web/office/accounts/accounts-page.tsx') },
  { path: '/accounts/:uid', title: 'Account', load: () => import('#web/office/accounts/account-page.tsx') },
  { path: '/rebates', title: 'Rebates', load: () => import('#web/office/customers/rebates-page.tsx') },
  { path: '/bans', title: 'Bans', load: () => import('#web/office/customers/bans-page.tsx') },
  { path: '/rate-limits', title: 'Rate limits', load: () => import('#web/office/customers/rate-limits-page.tsx') },
  { path: '/pairs', title: 'Pairs', load: () => import('#web/office/market/pairs-page.tsx') },
  { path: '/fees', title: 'Fees', load: () => import('#web/office/market/fees-page.tsx') },
  { path: '/coins', title: 'Coins', load: () => import('#web/office/market/coins-page.tsx') },
  { path: '/coins/:asset', title: 'Networks', load: () => import('#web/office/market/coin-page.tsx') },
  { path: '/rules', title: 'Rules and prices', load: () => import('#web/office/market/rules-page.tsx') },
  { path: '/contracts', title: 'Contracts', load: () => import('#web/office/market/contracts-page.tsx') },
  { path: '/contracts/:contract', title: 'Contract', load: () => import('#web/office/market/contract-page.tsx') },
  { path: '/proposals', title: 'Proposals', load: () => import('#web/office/house/proposals-page.tsx') },
  { path: '/acts', title: 'Acts', load: () => import('#web/office/house/acts-page.tsx') },
  { path: '/docs', title: 'Operator API', load: referencePage },
  { path: '/docs/:operation', title: 'Operator API', load: referencePage },
  { path: '/tokens', title: 'Tokens', load: () => import('#web/office/house/tokens-page.tsx') },
  { path: '/webhooks', title: 'Webhooks', load: () => import('#web/office/house/webhooks-page.tsx') },
  { path: '/backups', title: 'Backups', load: () => import('#web/office/house/backups-page.tsx') },
  {
    path: '/performance',
    title: 'Performance',
    load: () => import('#web/office/performance/performance-page.tsx'),
  },
  ...sandboxRoutes,
];
