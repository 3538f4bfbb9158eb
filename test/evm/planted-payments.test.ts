import { concatHex, encodeFunctionData, erc20Abi, keccak256, type TransactionSerializableEIP1559 } from 'viem';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SignedTransaction } from '#custody/custody.ts';
import { asHex, transferData } from '#custody/evm/erc20.ts';
import { readSentTransaction } from '#custody/evm/sent-transaction.ts';
import { as, type Balance } from '#model/units.ts';
import { changedCustody } from '../changed-custody.ts';
import { hasAnvil } from './anvil.ts';
import type { EvmWorld } from './evm-harness.ts';
import { createEvmWorld, depositAddress, ether, exchangeKeys, gasWallet, hotWallet } from './evm-harness.ts';
import { type EvmSettlement, openEvmSettlement } from './settlement-world.ts';

const receiver = '0x00000000000000000000000000000000DeaDBeef';
const thief = '0x1111111111111111111111111111111111111111';
const { hotWallet: hotKey, gasWallet: gasKey } = exchangeKeys.spending!;

/** Bytes with the key of the hot wallet, of what was to be signed and of something else in it. */
async function planted(
  signed: SignedTransaction,
  changes: Partial<Omit<TransactionSerializableEIP1559, 'type'>>,
  key = hotKey,
): Promise<SignedTransaction> {
  const { chainId, nonce, gas, maxFeePerGas, maxPriorityFeePerGas, to, value, data } = (await readSentTransaction(
    signed,
  ))!;
  const asked = { chainId, nonce, gas, maxFeePerGas, maxPriorityFeePerGas, value };
  const raw = await key.signTransaction({
    type: 'eip1559',
    ...{ ...asked, to: asHex(to), data: asHex(data) },
    ...changes,
  });
  return { txId: keccak256(raw), raw, nonce: signed.nonce };
}

type Plant = (signed: SignedTransaction, world: EvmWorld) => Promise<SignedTransaction>;
const dataOf = async (signed: SignedTransaction) => asHex((await readSentTransaction(signed))!.data);
const approveData = (amount: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [thief, amount] });

/** What may be wrong with a payment of 1 ETH, and of 50 USDT; what the worker says of it. */
const ofEther: Record<string, readonly [Plant, RegExp]> = {
  'another receiver': [(signed) => planted(signed, { to: thief }), /pays its receiver, not 0x1111/],
  'one wei more': [
    async (signed) => planted(signed, { value: (await readSentTransaction(signed))!.value + 1n }),
    /pays its amount \d+, not \d+/,
  ],
  'call data': [(signed) => planted(signed, { data: '0x00' }), /does something else than to pay/],
  'a token in its place': [
    (signed, { token }) => planted(signed, { to: asHex(token), value: 0n, data: transferData(receiver, ether) }),
    /pays its coin, not 0x/,
  ],
  'another chain': [(signed) => planted(signed, { chainId: 1 }), /is for chain 1, not for 31337/],
  'another nonce': [(signed) => planted(signed, { nonce: 5 }), /is not the transaction that its id and nonce name/],
  'the key of the gas wallet': [(signed) => planted(signed, {}, gasKey), /is signed by 0x.*, which is not the hot/],
  'an access list': [
    (signed) => planted(signed, { accessList: [{ address: thief, storageKeys: [] }] }),
    /is not the transaction that/,
  ],
  'a fee above the cap': [
    (signed) => planted(signed, { maxFeePerGas: 200_000_000_001n }),
    /costs its network fee, but its network fee is above the cap/,
  ],
  'gas above the cap': [(signed) => planted(signed, { gas: 300_001n }), /it may use 300001 gas, more than the cap/],
  'bytes of another one': [
    async (signed) => ({ ...signed, raw: (await planted(signed, { to: thief })).raw }),
    /is not the transaction that its id and nonce name/,
  ],
  'no transaction': [
    async ({ nonce }) => ({ txId: keccak256('0x02c0'), raw: '0x02c0', nonce }),
    /is not the transaction that its id and nonce name/,
  ],
  'a transaction of the old type': [
    async ({ nonce }) => {
      const raw = await hotKey.signTransaction({
        ...{ type: 'legacy', chainId: 31337, nonce: nonce!, gas: 21_000n, gasPrice: 10n ** 10n },
        ...{ to: receiver, value: ether },
      });
      return { txId: keccak256(raw), raw, nonce };
    },
    /is not the transaction that its id and nonce name/,
  ],
};
const ofToken: Record<string, readonly [Plant, RegExp]> = {
  'another receiver': [
    (signed) => planted(signed, { data: transferData(thief, 47n * ether) }),
    /pays its receiver, not 0x1111/,
  ],
  'more than its amount': [
    (signed) => planted(signed, { data: transferData(receiver, 48n * ether) }),
    /pays its amount \d+, not 48/,
  ],
  'ether beside it': [(signed) => planted(signed, { value: 1n }), /does something else than to pay/],
  'another contract': [(signed) => planted(signed, { to: thief }), /pays its coin, not 0x1111/],
  'another call': [(signed) => planted(signed, { data: approveData(47n * ether) }), /does something else than to pay/],
  'more call data behind it': [
    async (signed) => planted(signed, { data: concatHex([await dataOf(signed), '0x00']) }),
    /does something else than to pay/,
  ],
};
const breaches = [
  ...Object.entries(ofEther).map(([name, [plant, error]]) => ['ETH', name, plant, error] as const),
  ...Object.entries(ofToken).map(([name, [plant, error]]) => ['USDT', name, plant, error] as const),
];

describe.skipIf(!hasAnvil)('DEC-OPR-293: signed bytes of an EVM chain are held against the withdrawal', () => {
  let world: EvmWorld;
  let opened: EvmSettlement;
  /** What custody signs instead; `null`: what it is asked to. */
  let plant: Plant | null;
  let sent: SignedTransaction[];
  beforeEach(async () => {
    world = await createEvmWorld();
    plant = null;
    sent = [];
    for (const wallet of [hotWallet, gasWallet]) await world.pay(wallet, 5n * ether);
    await world.payToken(hotWallet, 500n * ether);
    await world.anvil.mine();
    opened = await openEvmSettlement(world, {
      custody: () => {
        const own = world.custody();
        return changedCustody(own, {
          sign: async (payment, nonceFrom, paidLastHour) => {
            const signing = await own.sign(payment, nonceFrom, paidLastHour);
            if (signing.kind === 'refused' || plant === null) return signing;
            return { kind: 'signed', transaction: await plant(signing.transaction, world) };
          },
          send: async (transaction) => {
            sent.push(transaction);
            await own.send(transaction);
          },
        });
      },
    });
    await world.pay(depositAddress(0), 2n * ether);
    await world.payToken(depositAddress(0), 100n * ether);
    await turns(6);
    expect([opened.free('ETH'), opened.free('USDT') > 0n]).toEqual([2n * 10n ** 9n, true]);
  });
  afterEach(() => world.anvil.stop());

  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn += 1) await opened.turn();
  };
  const state = (number: number) => opened.exchange.engine.state.withdrawals.get(number)!;
  const withdraw = (code: string) => {
    const { scale } = opened.exchange.engine.state.assets.find(code)!;
    const unit = 10n ** BigInt(scale);
    return opened.withdraw(code, receiver, code === 'ETH' ? unit : 50n * unit);
  };
  /** Nothing was sent: the hot wallet has made no transaction, and nobody got anything. */
  async function expectNothingSent(): Promise<void> {
    expect(sent).toEqual([]);
    expect(BigInt(await world.anvil.rpc('eth_getTransactionCount', hotWallet, 'pending'))).toBe(0n);
  }
  function expectStopped(error: RegExp): void {
    expect(opened.troubles).toHaveLength(1);
    expect(opened.troubles[0]).toMatch(/^settling ETH, which is stopped until the next start: what is signed for/);
    expect(opened.troubles[0]).toMatch(error);
    expect(opened.exchange.faults()).toEqual([]);
  }

  test('an honest signer pays both coins', async () => {
    const numbers = [await withdraw('ETH'), await withdraw('USDT')];
    await turns(12);
    expect(numbers.map((number) => state(number).status)).toEqual(['success', 'success']);
    expect(await world.tokenBalance(receiver)).toBe(47n * ether);
    expect(opened.troubles).toEqual([]);
  });

  test.each(breaches)(
    '%s with %s is neither journaled nor sent, nor sent where it was',
    async (code, _name, breach, error) => {
      plant = breach;
      const number = await withdraw(code);
      await turns(5);
      expectStopped(error);
      expect(state(number)).toMatchObject({ status: 'wait', transaction: null });
      await expectNothingSent();

      // The same bytes in the journal, as if they had been journaled before.
      const isAboveCap = error.source.includes('cap');
      const signing = await world.custody().sign(
        {
          ...{ reference: String(number), address: receiver, memo: null },
          ...(code === 'ETH'
            ? { contract: null, amount: (ether * 999n) / 1000n }
            : { contract: world.token, amount: 47n * ether }),
        },
        0,
        0n,
      );
      if (signing.kind === 'refused') throw new Error(signing.reason);
      const transaction = await breach(signing.transaction, world);
      const step = {
        kind: 'advanceWithdrawal',
        withdrawal: number,
        confirmations: 0,
        networkFee: as<Balance>(0n),
      } as const;
      await opened.must({ ...step, event: 'begin', transaction: null });
      await opened.must({ ...step, event: 'sign', transaction });
      opened.troubles.length = 0;
      opened.restart();
      await turns(3);
      if (isAboveCap) expect(opened.payingState().reasonOf(number)).toMatch(/cap$/);
      else expectStopped(error);
      expect(state(number).status).toBe('packaging');
      await expectNothingSent();
    },
  );
});
