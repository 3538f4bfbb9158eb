import { useEffect, useState } from 'preact/hooks';
import { Empty, Failure, Loading } from '#web/design/states.tsx';
import { exchange } from '#web/shell/exchange-facts.ts';
import { type Page, partsOf, path, type Route } from '#web/shell/router.ts';

/** The route of the path and what stands in it. */
function routeOf(routes: readonly Route[]) {
  for (const route of routes) {
    const parts = partsOf(route.path, path.value);
    if (parts !== null) return { route, parts };
  }
  return null;
}

const titleOf = (title: string): string => `${title} · ${exchange.name}`;

/** The page of the path, which is fetched when it is first gone to. */
export function RouterView({ routes }: { readonly routes: readonly Route[] }) {
  const found = routeOf(routes);
  const [loaded, setLoaded] = useState<{ readonly route: Route; readonly Page: Page } | null>(null);
  const [fault, setFault] = useState(false);
  const route = found?.route;
  useEffect(() => {
    document.title = titleOf(route?.title ?? 'Not found');
    setFault(false);
    route?.load().then(
      ({ Page }) => setLoaded({ route, Page }),
      () => setFault(true),
    );
  }, [route]);
  if (found === null)
    return (
      <Empty text="There is no such page.">
        <a href="/">Markets</a>
      </Empty>
    );
  if (fault) return <Failure text="The page could not be fetched." onRetry={() => location.reload()} />;
  if (loaded?.route !== route || loaded === null) return <Loading />;
  const { Page } = loaded;
  return <Page parts={found.parts} />;
}
