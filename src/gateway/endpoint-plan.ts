import type { AnyEndpoint, Method } from '#api/endpoint.ts';
import { hardenedPermission, isMutating } from '#api/endpoint.ts';
import { wireLimits } from '#api/limits.ts';
import { parameterNames, signingParameters } from '#api/request.ts';
import { batchBodyBounds, type BodyBounds, plainBodyBounds } from '#gateway/body-bounds.ts';
import type { PermissionSet } from '#domain/permission.ts';
import { permissionSet } from '#domain/permission.ts';

/** Declarations of endpoints by id, as far as the pipeline needs to know them. */
export type AnyCatalogue = Readonly<Record<string, AnyEndpoint>>;

/** What is known of an endpoint before any request: everything that a request would otherwise work out again. */
export interface EndpointPlan {
  readonly id: string;
  readonly endpoint: AnyEndpoint;
  /** Method and path. */
  readonly route: string;
  readonly isSigned: boolean;
  readonly isMutating: boolean;
  readonly isMoney: boolean;
  /** A frozen account may still cancel. DEC-REQ-61. */
  readonly mayBeFrozen: boolean;
  /** Parameters that a split request may carry. */
  readonly known: ReadonlySet<string>;
  readonly arrays: readonly string[];
  readonly bodyBounds: BodyBounds;
  /** Bit of the permission that is demanded; 0: none. */
  readonly permission: PermissionSet;
  /** First part of the keys of its budgets. */
  readonly budgetKey: string;
  readonly counts: AnswerCounts;
}

/** Upper bounds of the buckets of answer times, in milliseconds. */
export const durationBoundsMs = [1, 2, 5, 10, 25, 50, 100, 250, 1000, 5000] as const;

/** Answers of one endpoint so far: plain numbers, read by the metrics page. */
export class AnswerCounts {
  readonly byStatus = new Map<number, number>();
  readonly byDuration: number[] = durationBoundsMs.map(() => 0);
  total = 0;
  totalMs = 0;

  add(status: number, durationMs: number): void {
    this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + 1);
    this.total += 1;
    this.totalMs += durationMs;
    const bucket = durationBoundsMs.findIndex((bound) => durationMs <= bound);
    if (bucket >= 0) this.byDuration[bucket] = (this.byDuration[bucket] as number) + 1;
  }
}

const cancels: ReadonlySet<string> = new Set(['cancelOrder', 'cancelOpenOrders', 'cancelAllOrders']);

function planOf(id: string, endpoint: AnyEndpoint, isHardened: boolean): EndpointPlan {
  const { access, method, path } = endpoint;
  const demanded =
    access.kind === 'public' ? null : isHardened ? hardenedPermission(access, method) : access.permission;
  return {
    id,
    endpoint,
    route: `${method} ${path}`,
    isSigned: access.kind === 'signed',
    isMutating: isMutating(method),
    isMoney: endpoint.money === true,
    mayBeFrozen: cancels.has(id),
    known: new Set([...parameterNames(endpoint), ...signingParameters]),
    arrays: endpoint.jsonArrays ?? [],
    bodyBounds: endpoint.jsonArrays === undefined ? plainBodyBounds : batchBodyBounds,
    permission: demanded === null ? 0 : permissionSet([demanded]),
    budgetKey: `${id} `,
    counts: new AnswerCounts(),
  };
}

/** Which endpoint a request means, by exact method and path. */
export interface Routes {
  readonly plans: readonly EndpointPlan[];
  find(method: string, path: string): EndpointPlan | undefined;
  /** Methods that a path knows; `undefined` for an unknown path. */
  methodsOf(path: string): readonly Method[] | undefined;
}

/** Plans of every endpoint of these surfaces. */
export function routesOf(
  catalogue: AnyCatalogue,
  options: { readonly surfaces: readonly AnyEndpoint['surface'][]; readonly isHardened: boolean },
): Routes {
  const plans = Object.entries(catalogue)
    .filter(([, endpoint]) => options.surfaces.includes(endpoint.surface))
    .map(([id, endpoint]) => planOf(id, endpoint, options.isHardened));
  const paths = new Map<string, Map<string, EndpointPlan>>();
  for (const plan of plans) {
    const methods = paths.get(plan.endpoint.path) ?? new Map<string, EndpointPlan>();
    paths.set(plan.endpoint.path, methods.set(plan.endpoint.method, plan));
  }
  return {
    plans,
    find: (method, path) => paths.get(path)?.get(method),
    methodsOf: (path) => {
      const methods = paths.get(path);
      return methods === undefined ? undefined : ([...methods.keys()] as Method[]);
    },
  };
}

/** Calls of one futures endpoint from one address. DEC-LIM-07. */
export const futuresBudget = {
  windowMs: wireLimits.rate.futuresWindowMs,
  limit: wireLimits.rate.futuresCallsPerWindow,
  bucketsMax: wireLimits.rate.bucketsKept,
} as const;
