/** Methods that endpoints use. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A declaration with the method and the path that it is served at. */
export type Located<Declaration> = Declaration & { readonly method: Method; readonly path: string };

/** What documents show of endpoints of every API. */
interface Shown {
  readonly name: string;
  readonly summary: string;
  readonly notes?: string;
}

/** Description of an endpoint: its sentence, then its notes. */
export const descriptionOf = ({ summary, notes }: Shown): string =>
  notes === undefined ? summary : `${summary} ${notes}`;

/** A group of endpoints as documents show it. `Endpoints`: by id. */
export interface EndpointGroup<Endpoints = Readonly<Record<string, Located<Shown>>>> {
  readonly name: string;
  readonly description: string;
  readonly endpoints: Endpoints;
}

type All<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer Each) => void
  ? Each
  : never;

/** All endpoints of these groups by id, in the order of the groups. */
export const catalogueOf = <const Groups extends readonly EndpointGroup<object>[]>(
  groups: Groups,
): All<Groups[number]['endpoints']> =>
  Object.assign({}, ...groups.map(({ endpoints }) => endpoints)) as All<Groups[number]['endpoints']>;
