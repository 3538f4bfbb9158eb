import type { CommandOf } from '#model/command.ts';
import type { AccountId, AssetId, Balance } from '#model/units.ts';
import type { WalletKind } from '#model/wallet.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';

/** Play money for one wallet of an account. */
export interface Grant {
  readonly asset: AssetId;
  readonly wallet: WalletKind;
  /** In smallest units, above zero. */
  readonly amount: Balance;
}

type GrantCommand = CommandOf<'creditFunds'> | CommandOf<'transferFunds'>;

/** What a balance is to become. */
export interface WantedBalance extends Pick<Grant, 'asset' | 'wallet'> {
  readonly account: AccountId;
  /** What is to be free, in smallest units. */
  readonly free: Balance;
}

/** Play money on demand: there is none in production. DEC-KIT-50, DEC-KIT-51. */
export interface Faucet {
  /** The first grant to a wallet that the asset cannot go to; `null`: there is none. */
  outOfPlace(grants: readonly Grant[]): Promise<Grant | null>;
  /** The first grant for which the caps of the assets leave no room; `null`: all have room. */
  withoutRoom(grants: readonly Grant[]): Promise<Grant | null>;
  /** Commands that give the grants to an account, in order. */
  commandsOf(account: AccountId, grants: readonly Grant[]): readonly GrantCommand[];
  /** What sets a free balance, by way of the house's adjustments; `null`: it is that already. */
  commandToSet(wanted: WantedBalance): Promise<CommandOf<'adjustBalance'> | null>;
}

const reason = 'balance set on demand';

/** A faucet over the state of an exchange. */
export const createFaucet = ({ wallet, subAccounts }: ExchangeQueries): Faucet => ({
  outOfPlace: async (grants) => {
    const transferable = (await wallet.rules())?.transferable ?? [];
    return grants.find((grant) => grant.wallet !== 'spot' && !transferable.includes(grant.asset)) ?? null;
  },
  withoutRoom: async (grants) => {
    const given = new Map<AssetId, bigint>();
    for (const grant of grants) {
      const { asset, amount } = grant;
      const sum = (given.get(asset) ?? 0n) + amount;
      if (sum > (await wallet.roomUnderCap(asset))) return grant;
      given.set(asset, sum);
    }
    return null;
  },
  commandsOf: (account, grants) =>
    grants.flatMap(({ asset, wallet: to, amount }): readonly GrantCommand[] => [
      { kind: 'creditFunds', account, asset, amount },
      ...(to === 'spot'
        ? []
        : [{ kind: 'transferFunds', account, from: 'spot', to, asset, amount, clientTranId: null } as const]),
    ]),
  commandToSet: async ({ account, asset, wallet: kind, free }) => {
    const amount = (free - (await subAccounts.transferable(account, kind, asset))) as Balance;
    if (amount === 0n) return null;
    return {
      kind: 'adjustBalance',
      ...{ account, wallet: kind, asset, amount, reason },
      type: 'correction',
      reference: null,
    };
  },
});
