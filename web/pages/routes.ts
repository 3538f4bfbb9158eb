import type { Route } from '#web/shell/router.ts';

const depositPage = () => import('#web/pages/wallet/deposit-page.tsx');
const keysPage = () => import('#web/pages/account/keys-page.tsx');
const referencePage = () => import('#web/pages/docs/reference-page.tsx');
const withdrawPage = () => import('#web/pages/wallet/withdraw-page.tsx');

/** All pages of the public port. The server sends the shell for the first parts of these paths. DEC-WEB-01. */
export const routes: readonly Route[] = [
  { path: '/', title: 'Markets', load: () => import('#web/pages/markets/markets-page.tsx') },
  { path: '/trade', title: 'Trade', load: () => import('#web/pages/trade/trade-page.tsx') },
  { path: '/trade/:pair', title: 'Trade', load: () => import('#web/pages/trade/trade-page.tsx') },
  { path: '/contracts', title: 'Contracts', load: () => import('#web/pages/contracts/contracts-page.tsx') },
  { path: '/contracts/:contract', title: 'Contracts', load: () => import('#web/pages/contracts/contracts-page.tsx') },
  { path: '/wallet', title: 'Wallet', load: () => import('#web/pages/wallet/wallet-page.tsx') },
  { path: '/wallet/deposit', title: 'Deposit', load: depositPage },
  { path: '/wallet/deposit/:coin', title: 'Deposit', load: depositPage },
  { path: '/wallet/withdraw', title: 'Withdraw', load: withdrawPage },
  { path: '/wallet/withdraw/:coin', title: 'Withdraw', load: withdrawPage },
  { path: '/wallet/transfer', title: 'Transfer', load: () => import('#web/pages/wallet/transfer-page.tsx') },
  { path: '/wallet/dust', title: 'Small balances', load: () => import('#web/pages/wallet/dust-page.tsx') },
  { path: '/wallet/history', title: 'History', load: () => import('#web/pages/wallet/history-page.tsx') },
  { path: '/account', title: 'Account', load: () => import('#web/pages/account/account-page.tsx') },
  {
    path: '/account/sub-accounts',
    title: 'Sub-accounts',
    load: () => import('#web/pages/account/sub-accounts-page.tsx'),
  },
  { path: '/account/keys', title: 'API keys', load: keysPage },
  { path: '/account/keys/:name', title: 'API keys', load: keysPage },
  { path: '/account/stp-groups', title: 'STP groups', load: () => import('#web/pages/account/stp-page.tsx') },
  { path: '/docs', title: 'REST API', load: referencePage },
  { path: '/docs/streams', title: 'Streams', load: () => import('#web/pages/docs/streams-page.tsx') },
  { path: '/docs/:operation', title: 'REST API', load: referencePage },
  { path: '/account/invitations', title: 'Invitations', load: () => import('#web/pages/account/invitations-page.tsx') },
];
