import { z } from 'zod';
import { evmNetworkCodes } from '#custody/addresses/networks.ts';
import { usualSettings } from '#custody/evm/settings.ts';
import { CustodyMisconfigured } from '#custody/watch-only.ts';
import { parseCommentedJson } from '#operator-commands/commented-json.ts';

/*
 * The custody file: which networks real coins live on, and who has the keys. Amounts are whole numbers as text, in the
 * smallest unit of the chain. DEC-WAL-90.
 */

const networkCode = z.string().regex(/^[A-Z0-9]{2,12}$/, 'must be the code of a network, such as ETH');
const amount = z
  .string()
  .regex(/^\d{1,78}$/, 'must be a whole number as text, in the smallest unit')
  .transform(BigInt);
const whole = z.int().nonnegative();

const watchOnly = z.strictObject({
  kind: z.literal('watchOnly'),
  network: networkCode,
  key: z.string().optional(),
  addressFile: z.string().optional(),
  sharedAddress: z.string().optional(),
});

const coin = {
  perHourMax: amount.nullable(),
  sweepFrom: amount.nullable(),
  hotFloor: amount.nullable().default(null),
};
const keys = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('hot'), seedFile: z.string() }),
  z.strictObject({ kind: z.literal('watch'), xpub: z.string(), treasury: z.array(z.string()).max(100).default([]) }),
]);
const evm = z.strictObject({
  kind: z.literal('evm'),
  network: z.enum(evmNetworkCodes, `must be an EVM chain: ${evmNetworkCodes.join(' or ')}`),
  rpcUrl: z.url({ protocol: /^https?$/, error: 'must be the address of a node, http:// or https://' }),
  chainId: whole,
  startBlock: whole.nullable().default(null),
  keys,
  nativeCoin: z.strictObject({ ...coin, gasFloor: amount.nullable().default(null) }),
  tokens: z
    .array(z.strictObject({ contract: z.string(), ...coin }))
    .max(1000)
    .default([]),
  feeCaps: z
    .strictObject({
      feePerGasMax: amount.default(usualSettings.feeCaps.feePerGasMax),
      priorityFeePerGasMax: amount.default(usualSettings.feeCaps.priorityFeePerGasMax),
      gasMax: amount.default(usualSettings.feeCaps.gasMax),
    })
    .default(usualSettings.feeCaps),
  firstNonce: whole.default(usualSettings.firstNonce),
  replaceAfterBlocks: whole.default(usualSettings.replaceAfterBlocks),
  sweepConfirmations: whole.default(usualSettings.sweepConfirmations),
  sweepEveryMs: whole.default(usualSettings.sweepEveryMs),
  requestTimeoutMs: whole.default(usualSettings.requestTimeoutMs),
  blocksPerCall: whole.default(usualSettings.blocksPerCall),
  addressesPerSweep: whole.default(usualSettings.addressesPerSweep),
});

const custodyFile = z.strictObject({ networks: z.array(z.discriminatedUnion('kind', [watchOnly, evm])).max(100) });

/** A network of the custody file, as written there but for its amounts, which are read. */
export type NetworkEntry = z.infer<typeof custodyFile>['networks'][number];
/** A network that an EVM node is asked about. */
export type EvmEntry = Extract<NetworkEntry, { readonly kind: 'evm' }>;

/**
 * The networks of a custody file, each there once.
 * @throws CustodyMisconfigured with the path and the member that cannot be used.
 */
export function readCustodyFile(path: string, readFile: (path: string) => string): readonly NetworkEntry[] {
  let content: unknown;
  try {
    content = parseCommentedJson(readFile(path));
  } catch (error) {
    throw new CustodyMisconfigured(`${path} cannot be read as JSON: ${(error as Error).message}`);
  }
  const parsed = custodyFile.safeParse(content);
  if (!parsed.success) {
    const { path: member, message } = parsed.error.issues[0]!;
    throw new CustodyMisconfigured(`${path}: ${member.join('.') || 'the file'}: ${message}`);
  }
  const { networks } = parsed.data;
  const twice = networks.find(({ network }, at) => networks.findIndex((each) => each.network === network) !== at);
  if (twice !== undefined) throw new CustodyMisconfigured(`${path}: ${twice.network} is there twice`);
  return networks;
}
