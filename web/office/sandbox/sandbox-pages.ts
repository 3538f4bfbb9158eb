import type { Section } from '#web/office/sections.ts';
import type { Route } from '#web/shell/router.ts';

const scope = 'market:control';

/** Pages of the sandbox window in the index. DEC-WEB-60. */
export const sandboxSections: readonly Section[] = [{ href: '/sandbox/clock', title: 'Clock', scope }];

/** The same with what shows them; `src/operator-api/office-pages.ts` serves them where there is a sandbox. */
export const sandboxRoutes: readonly Route[] = [
  { path: '/sandbox/clock', title: 'Clock', load: () => import('#web/office/sandbox/clock-page.tsx') },
];
