import type { Route } from '#web/shell/router.ts';

/** All pages of the public port. The server sends the shell for the first parts of these paths. DEC-WEB-01. */
export const routes: readonly Route[] = [
  { path: '/', title: 'Markets', load: () => import('#web/pages/markets/markets-page.tsx') },
];
