import { z } from 'zod';
import type { ErrorName } from '#http/errors.ts';
import { described, integer, matching, wellFormed, withDefault } from '#public-api/declaration/fields.ts';
import { wireLimits } from '#http/limits.ts';
import { engineLimits } from '#model/limits.ts';

/*
 * Fields of endpoints that move money, with the error codes of their own: DEC-REQ-22. Texts of people go into the
 * journal, so each of them must be well-formed Unicode.
 */

const { wallet: limits } = wireLimits;

const assetPattern = /^[A-Z0-9]{2,12}$/;
/** Name of an asset. A malformed one is answered like an unknown one: 10232; a missing one is 10222. DEC-REQ-22. */
export const asset = (description = 'Name of the asset.') =>
  described(
    z.string().regex(assetPattern, 'must be 2 to 12 capital letters and digits'),
    {
      type: 'string',
      description,
      missing: 'currencyRequired',
      malformed: 'unknownCurrency',
      example: 'USDT',
    },
    matching(assetPattern),
  );

const listedPattern = /^[!-~]{1,24}$/;
/** Asset names separated by commas, each once; at most `max`. Unknown ones are left to the handler. */
export const assetList = (max: number) =>
  described(
    z
      .string()
      .transform((text) => [...new Set(text.split(',').map((name) => name.trim()))])
      .refine((names) => names.every((name) => listedPattern.test(name)), {
        error: 'must be names of assets, separated by commas',
      })
      .refine((names) => names.length <= max, { error: `must hold at most ${max} names` }),
    {
      type: 'list',
      description: `Names of assets, comma-separated, at most ${max}.`,
      missing: 'currencyRequired',
      min: 1,
      max,
      example: 'DOGE,TRX',
    },
  );

const amountPattern = /^-?(0|[1-9]\d{0,17})(?:\.\d{1,18})?$/;
/**
 * An amount of money as text; a missing one is 10095. Sign, zero and decimals are judged by the handler, which knows
 * the asset: 10102, 10096. DEC-REQ-22.
 */
export const amount = (description = 'How much.') =>
  described(
    z.string().regex(amountPattern, 'must be a plain decimal of at most 18 digits before and after the point'),
    { type: 'decimal', description, missing: 'amountRequired', example: '10' },
    matching(amountPattern),
  );

/** A network by its code or its label. DEC-WAL-08. */
export const network = (description = 'Code or label of the network.') =>
  described(wellFormed(limits.networkLength), { type: 'string', description, example: 'ETH' });

/** An address of a network; the handler checks it. */
export const address = (description = 'Address to pay to.') =>
  described(wellFormed(limits.addressLength), {
    type: 'string',
    description,
    example: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  });

/** The contract of a token. DEC-WAL-75. */
export const contractAddress = () =>
  described(wellFormed(limits.addressLength), {
    type: 'string',
    description: 'Contract of the asset; if sent, it must be the one on the network.',
  });

/** A memo or tag; the network says whether it needs one. SPEC-WAL-04. */
export const memo = () =>
  described(wellFormed(limits.textLength), {
    type: 'string',
    description: 'Memo or tag, where the address needs one.',
  });

/** A note for the account itself; 10268 if it is too long. DEC-WAL-26. */
export const remark = () =>
  described(wellFormed(engineLimits.remarkLength), {
    type: 'string',
    description: `A note, at most ${engineLimits.remarkLength} characters.`,
    malformed: 'remarkTooLong',
    max: engineLimits.remarkLength,
  });

/** Whom money goes to, in the form that the kind of contact asks for; the handler checks it. */
export const contact = () =>
  described(wellFormed(limits.textLength), {
    type: 'string',
    description: 'Mail, UID or mobile number of the receiver.',
    example: '10000001',
  });

const areaCodePattern = /^\+?[1-9]\d{0,3}$/;
/** Area code of a mobile number, with or without `+`; the value has digits only. */
export const areaCode = () =>
  described(
    z
      .string()
      .regex(areaCodePattern, 'must be 1 to 4 digits')
      .transform((text) => text.replace('+', '')),
    { type: 'string', description: 'Area code of a mobile number.', example: '44' },
  );

const idPattern = /^[0-9A-Za-z-]{1,64}$/;
/** A public id of the wallet. A malformed one is answered like an unknown one: 22222. DEC-WAL-26. */
export const walletId = (description: string) =>
  described(
    z.string().regex(idPattern, 'no record has it'),
    { type: 'string', description, malformed: 'recordNotFound', example: 'a'.repeat(32) },
    matching(idPattern),
  );

const requestIdPattern = /^[A-Za-z0-9_-]{1,32}$/;
/** The caller's own id of a request: sent again within 24 hours, it answers the first request. DEC-REQ-27. */
export const requestId = (description: string) =>
  described(
    z.string().regex(requestIdPattern, `must be 1 to ${engineLimits.clientOrderIdLength} letters, digits, '-' and '_'`),
    {
      type: 'string',
      description,
      malformed: 'illegalCharacters' satisfies ErrorName,
      max: engineLimits.clientOrderIdLength,
      example: 'my-request-1',
    },
    matching(requestIdPattern),
  );

/** Number of a page, from 1. */
export const page = () => withDefault(integer({ min: 1, max: limits.pagesMax }, 'Number of the page, from 1.'), '1');
