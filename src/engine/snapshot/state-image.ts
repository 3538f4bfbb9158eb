import { assert } from '#base/assert.ts';
import { ByteReader, ByteWriter } from '#base/bytes.ts';
import { createHash128 } from '#base/checksum.ts';
import type { AccountView, ApiKeyView, ListenKeyView } from '#domain/account.ts';
import type { BanView } from '#domain/ban.ts';
import type { SymbolRules } from '#domain/symbol.ts';
import type { AssetId, Balance, Digest } from '#domain/units.ts';
import { as } from '#domain/units.ts';
import { canonicalText } from '#base/canonical-text.ts';
import type { QuarantinedTail } from '#engine/accounts/quarantined-tails.ts';
import type { StpGroup } from '#engine/accounts/stp-groups.ts';
import { putAsset, putBook } from '#engine/commands/listing-commands.ts';
import {
  readBooks,
  readClosedOrders,
  readHeldOfVersion,
  writeBooks,
  writeClosedOrders,
} from '#engine/snapshot/order-image.ts';
import { EngineState, type FeeToken } from '#engine/state.ts';

/** Version 1 had no rules, epoch or quarantined tails, and wrote holds so that the greatest amount had no form. */
const imageVersion = 2;
const imageEnd = 0x626f7572;

/**
 * The whole state as bytes: position and digests of events, then the business state in canonical order, then closed
 * orders whose client ids are still kept. Layout depends on content only, never on slots or insertion order of maps.
 */
export function writeState(state: EngineState): Uint8Array {
  const writer = new ByteWriter(1 << 20);
  writer.u32(imageVersion);
  writer.varint(state.seq);
  writer.varint(state.at);
  writer.varint(state.rules);
  writer.varint(state.epoch);
  for (const word of state.emit.save()) writer.u32(word >>> 0);
  writer.varint(state.checkpoint.at);
  writer.text(state.checkpoint.digest);
  writeBusiness(writer, state);
  writeClosedOrders(writer, state);
  writeRecords(writer, state.listenKeys.all());
  writer.varint(state.tails.count);
  writer.varint(state.tails.entryCount);
  writeRecords(writer, state.tails.recent);
  writer.u32(imageEnd);
  return writer.take();
}

/**
 * The state of an image; throws on one that is not whole or not of this version, or whose business state has another
 * digest than the one given. The digest is that of the bytes as they stand, so that nobody has to write them again.
 */
export function readState(image: Uint8Array, digest: Digest | null): EngineState {
  const reader = new ByteReader(image);
  const state = new EngineState();
  const version = reader.u32();
  assert(version === 1 || version === imageVersion, 'the image has a version that this engine reads');
  state.seq = as(reader.varint());
  state.at = as(reader.varint());
  const readHeld = readHeldOfVersion[version];
  if (version > 1) {
    state.rules = reader.varint();
    state.epoch = as(reader.varint());
  }
  state.emit.load([reader.u32() | 0, reader.u32() | 0, reader.u32() | 0, reader.u32() | 0]);
  state.checkpoint = { at: as(reader.varint()), digest: as(reader.text()) };
  const businessAt = reader.position;
  readListing(reader, state);
  readAccounts(reader, state);
  readBooks(reader, state, readHeld);
  const business = image.subarray(businessAt, reader.position);
  assert(digest === null || digestOf(business) === digest, 'a snapshot has the state that it promised');
  readClosedOrders(reader, state, readHeld);
  for (const key of readRecords<ListenKeyView>(reader)) state.listenKeys.put(key);
  if (version > 1) {
    state.tails.count = reader.varint();
    state.tails.entryCount = reader.varint();
    state.tails.recent = readRecords<QuarantinedTail>(reader);
  }
  assert(reader.u32() === imageEnd, 'the image ends where its state ends');
  return state;
}

/** Digest of the business state: without positions, event digests and forgotten orders. */
export function businessDigest(state: EngineState): Digest {
  const writer = new ByteWriter(1 << 16);
  writeBusiness(writer, state);
  return digestOf(writer.written());
}

function digestOf(business: Uint8Array): Digest {
  const hash = createHash128();
  hash.bytes(business);
  return as<Digest>(hash.digest());
}

function writeBusiness(writer: ByteWriter, state: EngineState): void {
  writer.varint(state.assets.length);
  for (const asset of state.assets) {
    writer.text(asset.code);
    writer.text(asset.fullName);
    writer.u8(asset.scale);
    writer.i64(asset.cap);
    writer.text(asset.coinId);
  }
  writeRecords(writer, state.feeToken === null ? [] : [state.feeToken]);
  writeRecords(
    writer,
    state.books.map((book) => book.rules),
  );
  writeRecords(writer, state.accounts.records);
  writeRecords(
    writer,
    state.accounts.records.flatMap((account) => state.keys.of(account.account)),
  );
  writer.varint(state.stpGroups.lastGroup);
  writeRecords(
    writer,
    [...state.stpGroups.groups.values()].sort((first, second) => first.group - second.group),
  );
  // stored order: bans stand in the order in which they were made
  writeRecords(writer, [...state.bans.values()]);
  writeBalances(writer, state);
  writeBooks(writer, state);
}

function readListing(reader: ByteReader, state: EngineState): void {
  const assets = reader.varint();
  for (let id = 0; id < assets; id += 1) {
    putAsset(state, {
      id: as<AssetId>(id),
      code: reader.text(),
      fullName: reader.text(),
      scale: reader.u8(),
      cap: as<Balance>(reader.i64()),
      coinId: reader.text(),
    });
  }
  state.feeToken = readRecords<FeeToken>(reader)[0] ?? null;
  for (const rules of readRecords<SymbolRules>(reader)) putBook(state, rules);
}

function readAccounts(reader: ByteReader, state: EngineState): void {
  for (const account of readRecords<AccountView>(reader)) {
    if (account.account >= state.accounts.size) state.accounts.put(account);
  }
  for (const key of readRecords<ApiKeyView>(reader)) state.keys.put(key);
  const lastGroup = reader.varint();
  for (const group of readRecords<StpGroup>(reader)) state.stpGroups.put(group);
  state.stpGroups.lastGroup = lastGroup;
  for (const ban of readRecords<BanView>(reader)) state.bans.set(ban.address, ban);
  readBalances(reader, state);
}

/** Records without big integers, members sorted by name. */
function writeRecords(writer: ByteWriter, records: readonly object[]): void {
  writer.varint(records.length);
  for (const record of records) writer.text(canonicalText(record));
}

function readRecords<T>(reader: ByteReader): T[] {
  return Array.from({ length: reader.varint() }, () => JSON.parse(reader.text()) as T);
}

/** By account, then asset; rows that hold nothing are left out. */
function writeBalances(writer: ByteWriter, state: EngineState): void {
  const { balances } = state.ledger;
  for (let account = 0; account < state.accounts.size; account += 1) {
    const rows: number[] = [];
    for (let row = balances.first(account); row >= 0; row = balances.next(row)) {
      if (balances.free.get(row) !== 0n || balances.held.get(row) !== 0n) rows.push(row);
    }
    rows.sort((first, second) => balances.assetOf(first) - balances.assetOf(second));
    writer.varint(rows.length);
    for (const row of rows) {
      writer.varint(balances.assetOf(row));
      writer.i64(balances.free.get(row));
      writer.i64(balances.held.get(row));
    }
  }
}

function readBalances(reader: ByteReader, state: EngineState): void {
  const { balances } = state.ledger;
  for (let account = 0; account < state.accounts.size; account += 1) {
    for (let rows = reader.varint(); rows > 0; rows -= 1) {
      const row = balances.row(account, reader.varint());
      balances.free.set(row, reader.i64());
      balances.held.set(row, reader.i64());
    }
  }
}
