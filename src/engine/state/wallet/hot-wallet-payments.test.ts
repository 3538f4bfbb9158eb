import { describe, expect, it } from 'vitest';
import { ByteReader, ByteWriter } from '#base/bytes.ts';
import { as, type AssetId } from '#model/units.ts';
import { HotWalletPayments } from '#engine/state/wallet/hot-wallet-payments.ts';

const minute = 60_000;
const hour = 60 * minute;
const ether = { network: 'ETH', asset: as<AssetId>(1) };
const begin = 1000 * hour;

/** What counts at a time, of payments of these times. */
function paying(...payments: readonly { readonly paid: bigint; readonly at: number }[]) {
  const table = new HotWalletPayments();
  for (const { paid, at } of payments) table.add(ether, paid, as(at), as(at));
  return { table, countsAt: (at: number) => table.paidLastHour(ether, as(at)) };
}

function copyOf(table: HotWalletPayments): HotWalletPayments {
  const writer = new ByteWriter(16);
  table.write(writer);
  const copy = new HotWalletPayments();
  copy.read(new ByteReader(writer.take()));
  return copy;
}

describe('payments of a hot wallet within the hour', () => {
  it('DEC-WAL-48: one counts for an hour, and never longer than a minute more', () => {
    for (const within of [0, 1, minute - 1]) {
      const at = begin + within;
      const { countsAt } = paying({ paid: 5n, at });
      expect([at, at + hour - 1].map(countsAt)).toEqual([5n, 5n]);
      expect(countsAt(at + hour + minute)).toBe(0n);
    }
  });

  it('DEC-WAL-48: one counts as well while the clock is behind it', () => {
    const { countsAt } = paying({ paid: 5n, at: begin });
    expect([1, minute, 2 * hour].map((behind) => countsAt(begin - behind))).toEqual([5n, 5n, 5n]);
  });

  it('coins and networks are counted alone', () => {
    const { table } = paying({ paid: 5n, at: begin });
    expect(table.paidLastHour({ ...ether, asset: as<AssetId>(2) }, as(begin))).toBe(0n);
    expect(table.paidLastHour({ ...ether, network: 'BSC' }, as(begin))).toBe(0n);
  });

  it('a coin keeps 61 sums at most, whatever is paid, and an image has them in one order', () => {
    const payments = Array.from({ length: 2000 }, (_, index) => ({ paid: 1n, at: begin + index * 7_000 }));
    const { table, countsAt } = paying(...payments);
    const last = payments.at(-1)!.at;
    const within = payments.filter(({ at }) => at > last - hour).length;
    expect(Number(countsAt(last)) - within).toBeGreaterThanOrEqual(0);
    expect(Number(countsAt(last)) - within).toBeLessThan(10);
    const writer = new ByteWriter(16);
    table.write(writer);
    expect(writer.size).toBeLessThan(61 * 24);
    const copy = copyOf(table);
    for (const at of [last, last + hour / 2, last + hour]) expect(copy.paidLastHour(ether, as(at))).toBe(countsAt(at));
    // Found later than others, paid earlier.
    const [one, other] = [new HotWalletPayments(), new HotWalletPayments()];
    const times = [begin + minute, begin];
    for (const at of times) one.add(ether, 1n, as(at), as(begin + minute));
    for (const at of [...times].reverse()) other.add(ether, 1n, as(at), as(begin + minute));
    expect(bytesOf(one)).toEqual(bytesOf(other));
  });

  it('a minute that paid more than any balance counts as more than any balance', () => {
    const most = (1n << 62n) - 1n;
    const { table, countsAt } = paying({ paid: most, at: begin }, { paid: most, at: begin }, { paid: 1n, at: begin });
    expect(countsAt(begin)).toBe(most);
    expect(copyOf(table).paidLastHour(ether, as(begin))).toBe(most);
  });
});

function bytesOf(table: HotWalletPayments): Uint8Array {
  const writer = new ByteWriter(16);
  table.write(writer);
  return writer.take();
}
