import {
  type AnyEndpoint,
  hardenedPermission,
  isMutating,
  mayBeFrozen,
  pathParametersOf,
} from '#public-api/declaration/endpoint.ts';
import type { Method } from '#http/declared-endpoint.ts';
import { acceptedNames, signingParameters } from '#public-api/declaration/request.ts';
import { batchBodyBounds, type BodyBounds, plainBodyBounds } from '#public-api/pipeline/body-bounds.ts';
import { type PermissionSet, permissionSet } from '#model/permission.ts';
import { AnswerCounts } from '#http/answer-counts.ts';
import { assert } from '#base/assert.ts';
import { decodeValue } from '#public-api/signing/percent-coding.ts';

/** What finding a route by its path needs of it. */
interface PathRoute {
  readonly endpoint: { readonly path: string; readonly method: string };
  readonly pathParameters: readonly string[];
  readonly isSigned: boolean;
}

/**
 * Routes by path. Parameters stand at the end of a path, so a path is cut there and found by what comes before; a
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

/** Endpoint declarations by id. */
export type AnyCatalogue = Readonly<Record<string, AnyEndpoint>>;

/** An endpoint prepared for serving, with everything precomputed that each request needs. */
export interface Route {
  readonly id: string;
  readonly endpoint: AnyEndpoint;
  readonly methodAndPath: string;
  /** Parameters that stand in the path, in its order. */
  readonly pathParameters: readonly string[];
  readonly isSigned: boolean;
  readonly isMutating: boolean;
  readonly isMoney: boolean;
  readonly takesMoney: boolean;
  readonly mayBeFrozen: boolean;
  /** Its handler runs when a read of history may. */
  readonly readsHistory: boolean;
  /** Parameters that a request with both query and body may contain. */
  readonly known: ReadonlySet<string>;
  readonly arrays: readonly string[];
  readonly bodyBounds: BodyBounds;
  /** Bit of the required permission; 0: none. */
  readonly permission: PermissionSet;
  /** Prefix of the keys of its budgets. */
  readonly budgetKey: string;
  readonly counts: AnswerCounts;
}

function routeOf(id: string, endpoint: AnyEndpoint, isHardened: boolean): Route {
  const { access, method, path } = endpoint;
  const demanded =
    access.kind === 'public' ? null : isHardened ? hardenedPermission(access, endpoint) : access.permission;
  return {
    id,
    endpoint,
    methodAndPath: `${method} ${path}`,
    pathParameters: pathParametersOf(path),
    isSigned: access.kind === 'signed',
    isMutating: isMutating(endpoint),
    isMoney: endpoint.money === true,
    takesMoney: endpoint.takesMoney === true,
    mayBeFrozen: mayBeFrozen(endpoint),
    readsHistory: endpoint.readsHistory === true,
    known: new Set([...acceptedNames(endpoint), ...signingParameters]),
    arrays: endpoint.jsonArrays ?? [],
    bodyBounds: endpoint.jsonArrays === undefined ? plainBodyBounds : batchBodyBounds,
    permission: demanded === null ? 0 : permissionSet([demanded]),
    budgetKey: `${id} `,
    counts: new AnswerCounts(),
  };
}

/** Finds routes by method and path; parameters in the path match any text that is not empty. */
export interface Routes {
  readonly all: readonly Route[];
  find(method: string, path: string): Route | undefined;
  /** Methods of a path; `undefined` for an unknown path. */
  methodsOf(path: string): readonly Method[] | undefined;
}

/** Creates the routes of all endpoints of these surfaces. */
export function routesOf(
  catalogue: AnyCatalogue,
  options: { readonly surfaces: readonly AnyEndpoint['surface'][]; readonly isHardened: boolean },
): Routes {
  const all = Object.entries(catalogue)
    .filter(([, endpoint]) => options.surfaces.includes(endpoint.surface))
    .map(([id, endpoint]) => routeOf(id, endpoint, options.isHardened));
  const paths = new RoutePaths<Route>();
  for (const route of all) paths.add(route);
  return {
    all,
    find: (method, path) => paths.at(path)?.get(method),
    methodsOf: (path) => {
      const methods = paths.at(path);
      return methods === undefined ? undefined : ([...methods.keys()] as Method[]);
    },
  };
}
