import { formatDecimal } from '#base/decimal.ts';
import { houseNames } from '#model/account.ts';
import { ClientOrderId } from '#model/client-order-id.ts';
import type { Content } from '#model/codec/field-codec.ts';
import { codecOfKind } from '#model/command-codec.ts';
import type { CommandOf, PlainKind } from '#model/command.ts';
import { tokenIdOf } from '#model/person.ts';
import { type AccountId, as, type AssetId, type SymbolId } from '#model/units.ts';
import { type MemberUnit, unitOfMember } from '#engine/acts/member-units.ts';
import type { EngineState } from '#engine/state/state.ts';

/** A value that JSON has. */
export type Words = string | number | boolean | null | readonly Words[] | { readonly [member: string]: Words };
/** A record in words, by member. */
export type RecordWords = { readonly [member: string]: Words };

/** Members that are secret, or stand for a secret: no act tells them. DEC-OPR-194. */
export const hiddenMembers: ReadonlySet<string> = new Set([
  'sealedSecret',
  'sealedKey',
  'keyHash',
  'passwordHash',
  // What is signed and not sent could be sent by whoever reads it.
  'raw',
]);

/** In which decimals numbers of a record are counted; `null`: as they are. */
interface Decimals {
  readonly amount: number | null;
  readonly lots: number | null;
  readonly ticks: number | null;
  readonly quanta: number | null;
}
const asTheyAre: Decimals = { amount: null, lots: null, ticks: null, quanta: null };

/**
 * A command or a record in the words of operators: uids, tickers and names instead of places in tables, decimal text
 * instead of units, and no secrets. They stay true whatever becomes of the tables. What is not listed stays a number:
 * nothing of a command was checked yet. DEC-OPR-192.
 */
export const wordsOf = (state: EngineState, record: object): RecordWords => wordsOfRecord(state, record, asTheyAre);

/** What a command declares, in words: its members as the journal has them, its kind apart. */
export function wordsOfCommand(state: EngineState, command: CommandOf<PlainKind>): RecordWords {
  const { kind: _, ...members } = declaredPart(codecOfKind[command.kind].content, command) as CommandOf<PlainKind>;
  return wordsOf(state, members);
}

/** A value without members that its codec does not write: replay does not have them either. */
function declaredPart(content: Content, value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (content.kind === 'nullable') return declaredPart(content.of, value);
  if (content.kind === 'list') return (value as readonly unknown[]).map((item) => declaredPart(content.of, item));
  if (content.kind !== 'record') return value;
  const members = Object.entries(content.members);
  return Object.fromEntries(
    members.map(([name, codec]) => [name, declaredPart(codec.content, (value as Members)[name])]),
  );
}

function wordsOfRecord(state: EngineState, record: object, around: Decimals): RecordWords {
  const decimals = decimalsOf(state, record as Members, around);
  const told: Record<string, Words> = {};
  for (const [name, value] of Object.entries(record)) {
    if (hiddenMembers.has(name)) continue;
    // A price is told as one number: its digits at its decimals.
    if (name === 'decimals' && 'digits' in record) continue;
    if (name === 'digits') told['price'] = wordsOfValue(state, { name, value }, decimals);
    else if (name === 'tokenHash') told['token'] = tokenIdOf(String(value));
    else if (name === 'networkFee') told[name] = feeWords(state, record as Members, value);
    else told[name] = wordsOfValue(state, { name, value }, decimals);
  }
  return told;
}

interface Member {
  readonly name: string;
  readonly value: unknown;
}

function wordsOfValue(state: EngineState, { name, value }: Member, decimals: Decimals): Words {
  if (typeof value === 'bigint') return formatDecimal(value, decimals.amount ?? 0);
  if (typeof value === 'number') return wordsOfNumber(state, { name, value }, decimals);
  if (Array.isArray(value)) return value.map((item) => wordsOfValue(state, { name, value: item }, decimals));
  if (value instanceof ClientOrderId) return value.text;
  if (typeof value === 'object' && value !== null) return wordsOfRecord(state, value, decimals);
  return value as string | boolean | null;
}

function wordsOfNumber(
  state: EngineState,
  { name, value }: { readonly name: string; readonly value: number },
  decimals: Decimals,
): Words {
  const unit: MemberUnit | undefined = unitOfMember[name as keyof typeof unitOfMember];
  switch (unit) {
    case 'account':
      return uidWords(state, as<AccountId>(value));
    case 'asset':
      return state.assets.known(as<AssetId>(value))?.code ?? value;
    case 'symbol':
      return state.books[value]?.rules.name ?? value;
    case undefined:
      return value;
    default: {
      const scale = decimals[unit];
      return scale === null || !Number.isSafeInteger(value) ? value : formatDecimal(value, scale);
    }
  }
}

/** An account in words: its uid, or the name of an account of the house. */
export function uidWords(state: EngineState, account: AccountId): string | number {
  return houseNames.get(account) ?? state.accounts.get(account)?.uid ?? account;
}

type Members = Readonly<Record<string, unknown>>;

const idIn = (record: Members, name: string): number | null => {
  const value = record[name];
  return typeof value === 'number' ? value : null;
};

const scaleOfAsset = (state: EngineState, asset: number | null): number | null =>
  asset === null ? null : (state.assets.known(as<AssetId>(asset))?.scale ?? null);

/** What a record says of the decimals of its members; what it does not say is as around it. */
function decimalsOf(state: EngineState, record: Members, around: Decimals): Decimals {
  if ('priceDecimals' in record) return decimalsOfListing(state, record);
  const market = idIn(record, 'symbol') ?? idIn(record, 'contract');
  if (market !== null) return decimalsOfMarket(state, as<SymbolId>(market), 'side' in record);
  // The rules of an asset have its own scale; the digits of a reference price have theirs.
  const own = 'cap' in record ? idIn(record, 'scale') : 'digits' in record ? idIn(record, 'decimals') : null;
  if (own !== null) return { ...around, amount: possibleScale(own) };
  const asset = idIn(record, 'asset') ?? idIn(record, 'valuedIn');
  return asset === null ? around : { ...around, amount: scaleOfAsset(state, asset) };
}

/** A scale that a number can be printed with; nothing of a command was checked yet. */
const possibleScale = (scale: number | null): number | null =>
  scale !== null && scale >= 0 && scale <= decimalsMost ? scale : null;
const decimalsMost = 36;

/** Rules of a pair count lots and notionals in its coins, those of a contract in whole contracts. */
function decimalsOfListing(state: EngineState, record: Members): Decimals {
  const lots = possibleScale(idIn(record, 'quantityDecimals'));
  const quote = scaleOfAsset(state, idIn(record, 'quote') ?? idIn(record, 'settle'));
  return { amount: quote, lots, ticks: null, quanta: quote };
}

/** `isOrder`: its price is in ticks. */
function decimalsOfMarket(state: EngineState, symbol: SymbolId, isOrder: boolean): Decimals {
  const book = state.books[symbol];
  if (book === undefined) return asTheyAre;
  const contract = state.contracts.get(symbol)?.rules ?? null;
  const { priceDecimals } = contract ?? book.rules;
  const quote = scaleOfAsset(state, contract?.settle ?? book.rules.quote);
  const lots = contract === null ? book.rules.quantityDecimals : null;
  return { amount: quote, lots, ticks: isOrder ? priceDecimals : null, quanta: quote };
}

/** A fee of a network is of its native coin, whatever the record is about. */
function feeWords(state: EngineState, record: Members, fee: unknown): Words {
  const withdrawal = idIn(record, 'withdrawal');
  const named = record['network'] ?? (withdrawal === null ? null : state.withdrawals.get(withdrawal)?.network);
  const native = typeof named === 'string' ? state.assetNetworks.nativeOf(named) : null;
  return typeof fee === 'bigint' ? formatDecimal(fee, scaleOfAsset(state, native?.asset ?? null) ?? 0) : null;
}
