import type { AccountView, ApiKeyView } from '#model/account.ts';
import type { Command } from '#model/command.ts';
import type { AccountId, AssetId, Lots, PriceTicks, Quanta, SymbolId } from '#model/units.ts';
import type { DepositView, WithdrawalView } from '#model/wallet.ts';

/** What a number or an amount is counted in, that only the tables of the engine can say in words. */
export type MemberUnit = 'account' | 'asset' | 'symbol' | 'lots' | 'ticks' | 'quanta';

/** Whatever is put in words: commands, and the records that they change, whose own ids are their names. */
type Worded = Command | AccountView | ApiKeyView | DepositView | WithdrawalView;

type Plain = string | number | bigint | boolean | null | undefined;
type Each<Value> = Value extends readonly (infer Item)[] ? Item : Value;
/** Names of members that hold a unit, at any depth. */
type NamesOf<Value, Unit> = Value extends Plain
  ? never
  : Value extends readonly (infer Item)[]
    ? NamesOf<Item, Unit>
    : {
        [Name in keyof Value & string]: NameOf<Name, Each<NonNullable<Value[Name]>>, Unit>;
      }[keyof Value & string];
type NameOf<Name, Value, Unit> = [Value] extends [never] ? never : [Value] extends [Unit] ? Name : NamesOf<Value, Unit>;

/** Every name with a unit of its own has its unit: another one does not compile until it is listed. */
type Units = { readonly [Name in NamesOf<Worded, AccountId>]: 'account' } & {
  readonly [Name in NamesOf<Worded, AssetId>]: 'asset';
} & { readonly [Name in NamesOf<Worded, SymbolId>]: 'symbol' } & {
  readonly [Name in NamesOf<Worded, Lots>]: 'lots';
} & { readonly [Name in NamesOf<Worded, PriceTicks>]: 'ticks' } & {
  readonly [Name in NamesOf<Worded, Quanta>]: 'quanta';
};

/** The unit of members by their name, where they hold numbers. */
export const unitOfMember = {
  account: 'account',
  master: 'account',
  owner: 'account',
  inviter: 'account',
  beneficiary: 'account',
  source: 'account',
  from: 'account',
  to: 'account',
  members: 'account',
  asset: 'asset',
  assets: 'asset',
  base: 'asset',
  quote: 'asset',
  settle: 'asset',
  token: 'asset',
  valuedIn: 'asset',
  transferable: 'asset',
  symbol: 'symbol',
  symbols: 'symbol',
  contract: 'symbol',
  quantity: 'lots',
  minLots: 'lots',
  maxLots: 'lots',
  price: 'ticks',
  budget: 'quanta',
  minNotional: 'quanta',
  minNotionalMarket: 'quanta',
  maxNotional: 'quanta',
  maxNotionalMarket: 'quanta',
} as const satisfies Units;
