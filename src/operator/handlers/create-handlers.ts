import type { Catalogue } from '#operator/catalogue.ts';
import { accountHandlers } from '#operator/handlers/accounts.ts';
import { assetHandlers } from '#operator/handlers/assets.ts';
import type { HandlersOf } from '#operator/handlers/handlers.ts';
import type { OperatorContext } from '#operator/operator-context.ts';

/** A handler for every endpoint of the catalogue. */
export const createHandlers = (context: OperatorContext): HandlersOf<Catalogue> => ({
  ...assetHandlers(context),
  ...accountHandlers(context),
});
