import { render } from 'preact';
import '#web/design/tokens.css';
import '#web/design/base.css';
import '#web/design/header.css';
import '#web/design/controls.css';
import '#web/design/surfaces.css';
import '#web/shell/shell.css';
import '#web/office/office.css';
import { officeLinks } from '#http/site-links.ts';
import { followTheme } from '#web/design/theme.ts';
import { OfficeFrame } from '#web/office/office-frame.tsx';
import { officeRoutes } from '#web/office/office-routes.ts';
import { OperatorTool, SignInCard } from '#web/office/operator-sign-in.tsx';
import { officeSearch } from '#web/office/office-search.ts';
import { operator } from '#web/office/operator-session.ts';
import { followLinks, partsOf, path } from '#web/shell/router.ts';
import { RouterView } from '#web/shell/router-view.tsx';
import { SearchTool } from '#web/shell/search.tsx';
import { Shell } from '#web/shell/shell.tsx';

const documents = [
  { href: '/docs/', title: 'Operator API' },
  { href: '/openapi.json', title: 'OpenAPI' },
  { href: '/metrics', title: 'Metrics' },
  { href: '/healthz', title: 'Health' },
  { href: '/version', title: 'Version' },
];

const isReference = (): boolean => /^\/docs(?:\/|$)/.test(path.value);

/** There is something to be found once somebody is signed in. */
const OfficeTools = () => (
  <>
    {operator.value === null ? null : <SearchTool scope={officeSearch} />}
    <OperatorTool />
  </>
);

/** Whoever has no token is shown nothing but the reference. */
const App = () => (
  <Shell links={officeLinks} documents={documents} tools={<OfficeTools />}>
    {isReference() ? (
      <RouterView routes={officeRoutes} />
    ) : operator.value === null ? (
      <SignInCard />
    ) : (
      <OfficeFrame>
        <RouterView routes={officeRoutes} />
      </OfficeFrame>
    )}
  </Shell>
);

followTheme();
followLinks((to) => officeRoutes.some((route) => partsOf(route.path, to) !== null));
render(<App />, document.getElementById('app') as HTMLElement);
