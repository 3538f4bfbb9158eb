import { render } from 'preact';
import '#web/design/tokens.css';
import '#web/design/base.css';
import '#web/design/header.css';
import '#web/design/controls.css';
import '#web/design/surfaces.css';
import '#web/shell/shell.css';
import { publicLinks } from '#http/site-links.ts';
import { followTheme } from '#web/design/theme.ts';
import { accountLinks } from '#web/pages/account/account-links.ts';
import { publicSearch } from '#web/pages/public-search.ts';
import { routes } from '#web/pages/routes.ts';
import { walletLinks } from '#web/pages/wallet/wallet-links.ts';
import { AccountBanner } from '#web/shell/account-banner.tsx';
import { ConnectionBanner } from '#web/shell/connection-banner.tsx';
import { ExchangeClock } from '#web/shell/exchange-clock.tsx';
import { exchange } from '#web/shell/exchange-facts.ts';
import { tellFills } from '#web/shell/fill-notes.ts';
import { followLinks, partsOf } from '#web/shell/router.ts';
import { RouterView } from '#web/shell/router-view.tsx';
import { SearchTool } from '#web/shell/search.tsx';
import { Shell } from '#web/shell/shell.tsx';
import { AccountTool } from '#web/shell/sign-in.tsx';

const documents = [
  { href: '/docs/', title: 'REST API' },
  { href: '/docs/streams', title: 'Streams' },
  { href: '/openapi.json', title: 'OpenAPI' },
  { href: '/asyncapi.json', title: 'AsyncAPI' },
  { href: '/proto/push.proto', title: 'push.proto' },
  ...(exchange.operatorUrl === null ? [] : [{ href: exchange.operatorUrl, title: 'Operators' }]),
  { href: '/healthz', title: 'Health' },
  { href: '/version', title: 'Version' },
];

/** Pages that the search finds: those of the head, and those below them. */
const search = publicSearch([...publicLinks, ...walletLinks.slice(1), ...accountLinks.slice(1)]);

const App = () => (
  <Shell
    links={publicLinks}
    documents={documents}
    hasCharts
    notice={
      <>
        <ConnectionBanner />
        <AccountBanner />
      </>
    }
    tools={
      <>
        <ExchangeClock />
        <SearchTool scope={search} />
        <AccountTool />
      </>
    }
  >
    <RouterView routes={routes} />
  </Shell>
);

followTheme();
tellFills();
followLinks((path) => routes.some((route) => partsOf(route.path, path) !== null));
render(<App />, document.getElementById('app') as HTMLElement);
