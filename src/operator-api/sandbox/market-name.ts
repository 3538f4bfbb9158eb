import { z } from 'zod';

/** Name of a pair or a contract. */
export const marketName = (description: string) =>
  z
    .string()
    .regex(/^[A-Z0-9]{2,24}(?:_[A-Z0-9]{2,12})?$/, 'must be the name of a pair or a contract')
    .meta({ description, examples: ['BTCUSDT'] });
