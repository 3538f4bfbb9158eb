import { type EndpointId, groups } from '#public-api/catalogue.ts';

/** Name of the group that an endpoint stands in. */
export const groupOf = (id: EndpointId): string | undefined => groups.find(({ endpoints }) => id in endpoints)?.name;
