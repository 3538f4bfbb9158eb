import type { Route } from '#web/shell/router.ts';

/** All pages of the operator port. */
export const officeRoutes: readonly Route[] = [
  { path: '/', title: 'Overview', load: () => import('#web/office/overview-page.tsx') },
];
