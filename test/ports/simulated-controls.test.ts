import { describe, expect, test } from 'vitest';
import { networkCodes } from '#custody/addresses/networks.ts';
import type { ChainControls, SimulatedDeposit } from '#custody/simulated/chain-controls.ts';
import { ChainControlRefused } from '#custody/simulated/chain-controls.ts';
import { MemoryChainStorage } from './memory-chain-storage.ts';
import { openSimulatedCustody } from '#custody/simulated/simulated-custody.ts';

const storage = new MemoryChainStorage();
const clock = { now: () => 1_700_000_000_000 };
const { custody, controls } = await openSimulatedCustody({ seed: 'a', clock, blockMs: 5000, storage });
const eth = (await custody.get('ETH')!.depositAddress(0))!.address;
const btc = (await custody.get('BTC')!.depositAddress(0))!.address;
const xrp = (await custody.get('XRP')!.depositAddress(0))!.address;
const token = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
const good: SimulatedDeposit = { network: 'ETH', address: eth, memo: null, contract: null, amount: 1n };

const refusals: readonly (readonly [string, (chain: ChainControls) => Promise<unknown>, string])[] = [
  ['a network that does not exist', (c) => c.deposit({ ...good, network: 'LTC' }), 'network'],
  ['a network in another case', (c) => c.mine({ network: 'eth', blocks: 1 }), 'network'],
  ['the state of no network', (c) => c.state('__proto__'), 'network'],
  ['a reorganisation of no network', (c) => c.reorganise({ network: '', depth: 1, drop: true }), 'network'],
  ['a delay of no network', (c) => c.delay({ network: 'toString', blocks: 1 }), 'network'],
  ['an address of another network', (c) => c.deposit({ ...good, address: btc }), 'address'],
  ['an address with a mistake', (c) => c.deposit({ ...good, address: `${eth.slice(0, -1)}g` }), 'address'],
  ['no address', (c) => c.deposit({ ...good, address: '' }), 'address'],
  ['a memo where there is none', (c) => c.deposit({ ...good, memo: '1' }), 'memo'],
  ['a memo that is no tag', (c) => c.deposit({ ...good, network: 'XRP', address: xrp, memo: 'x' }), 'memo'],
  ['a contract that is none', (c) => c.deposit({ ...good, contract: 'USDT' }), 'contract'],
  ['an empty contract', (c) => c.deposit({ ...good, contract: '' }), 'contract'],
  ['a token of Bitcoin', (c) => c.deposit({ ...good, network: 'BTC', address: btc, contract: btc }), 'contract'],
  ['nothing', (c) => c.deposit({ ...good, amount: 0n }), 'amount'],
  ['less than nothing', (c) => c.deposit({ ...good, amount: -1n }), 'amount'],
  ['more than a contract can count', (c) => c.deposit({ ...good, amount: 2n ** 256n }), 'amount'],
  ['no blocks', (c) => c.mine({ network: 'ETH', blocks: 0 }), 'blocks'],
  ['half a block', (c) => c.mine({ network: 'ETH', blocks: 1.5 }), 'blocks'],
  ['too many blocks', (c) => c.mine({ network: 'ETH', blocks: 10_001 }), 'blocks'],
  ['endless blocks', (c) => c.mine({ network: 'ETH', blocks: Number.POSITIVE_INFINITY }), 'blocks'],
  ['a delay below zero', (c) => c.delay({ network: 'ETH', blocks: -1 }), 'blocks'],
  ['an endless delay', (c) => c.delay({ network: 'ETH', blocks: 10_001 }), 'blocks'],
  ['a reorganisation of nothing', (c) => c.reorganise({ network: 'BTC', depth: 0, drop: false }), 'depth'],
  [
    'a reorganisation that is no number',
    (c) => c.reorganise({ network: 'BTC', depth: Number.NaN, drop: false }),
    'depth',
  ],
  ['a reorganisation below block 0', (c) => c.reorganise({ network: 'BTC', depth: 51, drop: false }), 'depth'],
  ['a reorganisation that is too deep', (c) => c.reorganise({ network: 'ETH', depth: 101, drop: false }), 'depth'],
  ['a limit below zero', (c) => c.limitWallet({ network: 'ETH', contract: null, amount: -1n }), 'amount'],
  ['a limit of no token', (c) => c.limitWallet({ network: 'XRP', contract: token, amount: 1n }), 'contract'],
];

describe('controls of the simulated chain', () => {
  test('what they refuse names the member at fault, changes nothing and writes nothing', async () => {
    await controls.mine({ network: 'ETH', blocks: 200 });
    await controls.mine({ network: 'BTC', blocks: 50 });
    const states = await Promise.all(networkCodes.map((network) => controls.state(network)));
    const content = storage.content();
    for (const [what, act, member] of refusals) {
      const error = await act(controls).then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(error, what).toBeInstanceOf(ChainControlRefused);
      expect((error as ChainControlRefused).member, what).toBe(member);
      expect((error as ChainControlRefused).message, what).toMatch(new RegExp(`^${member} (is|has|names|does) `));
    }
    expect(await Promise.all(networkCodes.map((network) => controls.state(network)))).toEqual(states);
    expect(storage.content()).toEqual(content);
  });

  test('what is allowed at the ends of the bounds is done', async () => {
    await controls.mine({ network: 'TRX', blocks: 10_000 });
    expect(await controls.reorganise({ network: 'TRX', depth: 1, drop: false, blocks: 2 })).toMatchObject({
      height: 10_002,
    });
    expect(await controls.reorganise({ network: 'TRX', depth: 100, drop: true })).toMatchObject({ height: 10_002 });
    await controls.mine({ network: 'SOL', blocks: 1 });
    expect(await controls.reorganise({ network: 'SOL', depth: 1, drop: true })).toMatchObject({ height: 1 });
    expect(await controls.delay({ network: 'SOL', blocks: 10_000 })).toMatchObject({ delayBlocks: 10_000 });
    await controls.deposit({ ...good, amount: 2n ** 256n - 1n });
    await controls.deposit({ ...good, network: 'XRP', address: xrp });
  });

  test('addresses and contracts may be written in any way, and are reported in the canonical one', async () => {
    await controls.deposit({ ...good, address: eth.toLowerCase(), contract: token.toLowerCase(), amount: 77n });
    await controls.mine({ network: 'ETH', blocks: 1 });
    const { payments } = await custody.get('ETH')!.observe({ since: null, addressCount: 1 });
    expect(payments.at(-1)).toMatchObject({ address: eth, contract: token, amount: 77n });
  });

  test.each([
    ['BTC', /^[0-9a-f]{64}$/],
    ['ETH', /^0x[0-9a-f]{64}$/],
    ['TRX', /^[0-9a-f]{64}$/],
    ['BSC', /^0x[0-9a-f]{64}$/],
    ['SOL', /^[1-9A-HJ-NP-Za-km-z]{86,88}$/],
    ['XRP', /^[0-9A-F]{64}$/],
  ])('ids of %s look like its own', async (network, shape) => {
    const address = (await custody.get(network)!.depositAddress(0))!;
    const ids = new Set<string>();
    for (let round = 0; round < 20; round += 1)
      ids.add(await controls.deposit({ network, ...address, contract: null, amount: 1n }));
    expect(ids.size).toBe(20);
    for (const id of ids) expect(id).toMatch(shape);
  });
});
