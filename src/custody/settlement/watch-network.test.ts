import { beforeEach, describe, expect, test } from 'vitest';
import { NetworkUnavailable, type NetworkStatus } from '#custody/custody.ts';
import type { SettlementParts } from '#custody/settlement/network-settlement.ts';
import { NetworkWatch } from '#custody/settlement/watch-network.ts';
import type { AssetNetwork } from '#model/wallet.ts';

const clock = { time: 0, now: () => clock.time };
let asked: (readonly string[])[];
let answer: () => NetworkStatus;
let told: string[];
let watch: NetworkWatch;
const listed = [{ contract: null }, { contract: '0xT' }] as AssetNetwork[];
const at = (height: number): NetworkStatus => ({ head: { height, at: null }, wallets: [] });

beforeEach(() => {
  clock.time = 1000;
  asked = [];
  told = [];
  answer = () => at(5);
  watch = new NetworkWatch({
    custody: {
      network: 'ETH',
      status: async (contracts: readonly string[]) => {
        asked.push(contracts);
        return answer();
      },
    },
    monotonic: clock,
    onTrouble: (what: string) => told.push(what),
  } as unknown as SettlementParts);
});

describe('DEC-OPR-287: a network is asked now and then how it stands', () => {
  test('for the tokens that are listed there, and not with every poll', async () => {
    await watch.look(listed);
    clock.time += 14_999;
    await watch.look(listed);
    expect(asked).toEqual([['0xT']]);
    expect(watch.sight(3)).toEqual({ status: at(5), answerAgeMs: 14_999, settlementAgeMs: 14_999, followedHeight: 3 });
    clock.time += 1;
    answer = () => at(6);
    await watch.look(listed);
    expect(watch.sight(3)).toMatchObject({ status: at(6), answerAgeMs: 0 });
  });

  test('what it said last stays known while it is silent, and its age grows', async () => {
    await watch.look(listed);
    watch.completed();
    answer = () => {
      throw new NetworkUnavailable('nobody there');
    };
    for (let poll = 0; poll < 3; poll += 1) {
      clock.time += 20_000;
      await watch.look(listed);
    }
    expect(asked.length).toBe(4);
    expect(watch.sight(null)).toEqual({
      status: at(5),
      answerAgeMs: 60_000,
      settlementAgeMs: 60_000,
      followedHeight: null,
    });
    expect(told).toEqual([]);
  });

  test('a fault of custody is told of and keeps nothing from being settled', async () => {
    answer = () => {
      throw new TypeError('a bug');
    };
    await watch.look(listed);
    expect(told).toEqual(['asking how ETH stands']);
    expect(watch.sight(null).status).toBeNull();
  });
});
