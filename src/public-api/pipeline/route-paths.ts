import { assert } from '#base/assert.ts';
import { decodeValue } from '#public-api/signing/percent-coding.ts';

/** What finding a route by its path needs of it. */
interface PathRoute {
  readonly endpoint: { readonly path: string; readonly method: string };
  readonly pathParameters: readonly string[];
  readonly isSigned: boolean;
}

/**
 * Routes by path. Parameters stand at the end of a path, so a path is cut there and looked up by what comes before; a
 * path without parameters goes first: `/risk_reverse/history` is not a contract. DEC-FUT-35.
 */
export class RoutePaths<Route extends PathRoute> {
  readonly #exact = new Map<string, Map<string, Route>>();
  /** By number of parameters, from one: routes by the text before the first of them. */
  readonly #open: Map<string, Map<string, Route>>[] = [];

  add(route: Route): void {
    const { path } = route.endpoint;
    const count = route.pathParameters.length;
    const fixed = count === 0 ? path : path.slice(0, path.indexOf('{'));
    const names = route.pathParameters.map((name) => `{${name}}`).join('/');
    assert(count === 0 || (path === fixed + names && fixed.endsWith('/')), 'parameters stand at the end of a path');
    assert(count === 0 || !route.isSigned, 'a signature does not cover the path');
    while (this.#open.length < count) this.#open.push(new Map());
    const paths = count === 0 ? this.#exact : (this.#open[count - 1] as Map<string, Map<string, Route>>);
    const methods = paths.get(fixed) ?? new Map<string, Route>();
    paths.set(fixed, methods.set(route.endpoint.method, route));
  }

  at(path: string): Map<string, Route> | undefined {
    const exact = this.#exact.get(path);
    if (exact !== undefined) return exact;
    let end = path.length;
    for (const paths of this.#open) {
      const slash = path.lastIndexOf('/', end - 1);
      if (slash < 0 || slash === end - 1) return undefined;
      const found = paths.get(path.slice(0, slash + 1));
      if (found !== undefined) return found;
      end = slash;
    }
    return undefined;
  }
}

/** Parameters of a path that leads to this route, decoded; a text that cannot be decoded stays as it is. */
export function pathValuesOf(route: Pick<PathRoute, 'pathParameters'>, path: string): Readonly<Record<string, string>> {
  const texts = path.split('/').slice(-route.pathParameters.length);
  return Object.fromEntries(
    route.pathParameters.map((name, index) => {
      const text = texts[index] as string;
      return [name, decodeValue(text) ?? text];
    }),
  );
}
