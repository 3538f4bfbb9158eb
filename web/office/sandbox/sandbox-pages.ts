import type { Section } from '#web/office/sections.ts';
import type { Route } from '#web/shell/router.ts';

const scope = 'market:control';

/** Pages of the sandbox window in the index. DEC-WEB-60. */
export const sandboxSections: readonly Section[] = [
  { href: '/sandbox/clock', title: 'Clock', scope },
  { href: '/sandbox/market', title: 'Market', scope },
  { href: '/sandbox/events', title: 'Events', scope },
  { href: '/sandbox/states', title: 'States', scope },
  { href: '/sandbox/scenarios', title: 'Scenarios', scope },
  { href: '/sandbox/requests', title: 'Requests', scope },
  { href: '/sandbox/faults', title: 'Faults', scope },
  { href: '/sandbox/chains', title: 'Chains', scope: 'chain:control' },
  { href: '/sandbox/faucet', title: 'Faucet', scope },
];

/** The same with what shows them; `src/operator-api/office-pages.ts` serves them where there is a sandbox. */
export const sandboxRoutes: readonly Route[] = [
  { path: '/sandbox/clock', title: 'Clock', load: () => import('#web/office/sandbox/clock-page.tsx') },
  { path: '/sandbox/market', title: 'Market', load: () => import('#web/office/sandbox/market-page.tsx') },
  { path: '/sandbox/events', title: 'Events', load: () => import('#web/office/sandbox/events-page.tsx') },
  { path: '/sandbox/states', title: 'States', load: () => import('#web/office/sandbox/states-page.tsx') },
  { path: '/sandbox/scenarios', title: 'Scenarios', load: () => import('#web/office/sandbox/scenarios-page.tsx') },
  { path: '/sandbox/requests', title: 'Requests', load: () => import('#web/office/sandbox/requests-page.tsx') },
  { path: '/sandbox/faults', title: 'Faults', load: () => import('#web/office/sandbox/faults-page.tsx') },
  { path: '/sandbox/chains', title: 'Chains', load: () => import('#web/office/sandbox/chains-page.tsx') },
  { path: '/sandbox/faucet', title: 'Faucet', load: () => import('#web/office/sandbox/faucet-page.tsx') },
];
