import type { AssetRules } from '#domain/asset.ts';
import type { AssetNetwork } from '#domain/wallet.ts';
import { toLedger } from '#settlement/chain-amounts.ts';
import { settle, type SettlementParts } from '#settlement/network-settlement.ts';

/** Sweeps, and records what sweeps cost: they move money within custody, and their fees leave it. DEC-WAL-51. */
export async function followSweeps(
  parts: SettlementParts,
  networks: readonly AssetNetwork[],
  assets: readonly AssetRules[],
): Promise<void> {
  const { custody, queries } = parts;
  const { network } = custody;
  const chain = await queries.wallet.chain(network);
  if (chain === null) return;
  await custody.sweep(chain.addressCount);
  const { position, sweeps } = await custody.sweepsSince(chain.sweepPosition, chain.addressCount);
  const native = networks.find(({ contract }) => contract === null);
  for (const { txId, networkFee } of sweeps) {
    if (native === undefined) break;
    const fee = toLedger(networkFee, native.scale, assets[native.asset]!.scale);
    await settle(parts, { kind: 'recordSweep', network, txId, networkFee: fee });
  }
  if (sweeps.length > 0 && position !== chain.sweepPosition)
    await settle(parts, { kind: 'recordChainPosition', network, position: null, sweepPosition: position });
}
