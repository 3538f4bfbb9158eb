import type { AnyEndpoint } from '#public-api/declaration/endpoint.ts';
import type { Method } from '#http/declared-endpoint.ts';
import { hardenedPermission, isMutating, pathParametersOf } from '#public-api/declaration/endpoint.ts';
import { acceptedNames, signingParameters } from '#public-api/declaration/request.ts';
import { batchBodyBounds, type BodyBounds, plainBodyBounds } from '#public-api/pipeline/body-bounds.ts';
import { RoutePaths } from '#public-api/pipeline/route-paths.ts';
import { type PermissionSet, permissionSet } from '#model/permission.ts';
import { AnswerCounts } from '#http/answer-counts.ts';

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
    mayBeFrozen: endpoint.mayBeFrozen === true,
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
