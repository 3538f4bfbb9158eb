import { accountEndpoints } from '#operator/endpoints/accounts.ts';
import { assetEndpoints } from '#operator/endpoints/assets.ts';
import type { AnyOperatorEndpoint } from '#operator/endpoint.ts';

/** A group of endpoints as documents show it. */
export interface EndpointGroup {
  readonly name: string;
  readonly description: string;
  readonly endpoints: Readonly<Record<string, AnyOperatorEndpoint>>;
}

/** Groups of endpoints, in the order of the documents. */
export const groups: readonly EndpointGroup[] = [
  { name: 'Assets', description: 'Assets, their networks, and the rules of the wallet.', endpoints: assetEndpoints },
  { name: 'Accounts', description: 'Look up accounts and change what they may do.', endpoints: accountEndpoints },
];

/** All endpoints of the operator API by id. Routes, OpenAPI and reference loop over it. DEC-OPR-01. */
export const catalogue = {
  ...assetEndpoints,
  ...accountEndpoints,
} as const;
export type Catalogue = typeof catalogue;
