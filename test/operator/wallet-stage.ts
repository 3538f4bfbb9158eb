import { type AccountId, as, type Balance } from '#model/units.ts';
import type { WalletRules } from '#model/wallet.ts';
import type { TestOperator } from './operator-harness.ts';
import { seenWith } from '../chain-sight.ts';

/** Rules as the operator API takes them: four eyes above 1,000 USDT, everything above 500 is looked at by hand. */
export const rulesBody = {
  valuedIn: 'USDT',
  largeDeposit: '100000',
  dailyCaps: ['10000', '100000', '1000000', '10000000'],
  riskHoldAbove: '500',
  fourEyesAbove: '1000',
  adjustFourEyesAbove: '1000',
  newAddressDelayMs: 0,
  waitMs: 5000,
  transferable: ['USDT'],
  dustBelow: '5',
  dustCallMax: '50',
  dustFeePpm: 2000,
} as const satisfies Record<keyof WalletRules, unknown>;

/** Terms of USDT on ETH. */
export const usdtOnEth = {
  label: 'Ethereum(ERC20)',
  contract: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
  chainScale: 6,
  sharesAddress: false,
  depositEnabled: true,
  withdrawEnabled: true,
  minConfirm: 12,
  depositMin: '3',
  withdrawFee: '3',
  withdrawMin: '10',
  withdrawMax: '1000000',
  withdrawStep: '0.000001',
  depositDesc: null,
  depositTips: 'Play money.',
  withdrawTips: null,
};

/** Terms of BTC, the native coin of its network. */
export const btcOnBtc = {
  ...usdtOnEth,
  label: 'BTC',
  contract: null,
  chainScale: 8,
  minConfirm: 2,
  depositMin: '0.0001',
  withdrawFee: '0.0001',
  withdrawMin: '0.001',
  withdrawMax: '20',
  withdrawStep: '0.00000001',
};

/** Addresses of the exchange and of a stranger, as the networks write them. */
export const addresses = {
  alice: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  bob: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  stranger: '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  aliceBtc: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
} as const;

/** Configures the wallet by the operator API alone, and gives alice and bob their addresses. */
export async function openWallet(operator: TestOperator): Promise<void> {
  const put = async (path: string, body: object): Promise<void> => {
    const { status, text } = await operator.ask('PUT', path, body);
    if (status !== 200) throw new TypeError(`${path}: ${text}`);
  };
  await put('/v1/wallet/rules', rulesBody);
  await put('/v1/prices/BTC/reference', { price: '100', validHours: 8784, reason: 'Nothing trades here.' });
  await put('/v1/assets/USDT/networks/ETH', usdtOnEth);
  await put('/v1/assets/BTC/networks/BTC', btcOnBtc);
  const assign = (account: AccountId, network: string, index: number, address: string) =>
    operator.exchange.submit({ kind: 'assignDepositAddress', account, network, index, address, memo: null });
  await assign(operator.alice.account, 'ETH', 0, addresses.alice);
  await assign(operator.bob.account, 'ETH', 1, addresses.bob);
  await assign(operator.alice.account, 'BTC', 0, addresses.aliceBtc);
}

/** A payment of USDT on ETH that custody has seen. */
export const pay = (operator: TestOperator, txId: string, amount: bigint, confirmations = 12) =>
  operator.exchange.submit({
    kind: 'reportDeposit',
    network: 'ETH',
    txId,
    output: 0,
    asset: as(0),
    address: addresses.alice,
    memo: null,
    amount: as<Balance>(amount * 10n ** 9n),
    sight: seenWith(confirmations),
  });

/** A withdrawal of USDT by alice that asks for this many whole coins, looked at by the risk limit. */
export async function withdraw(operator: TestOperator, coins: bigint): Promise<number> {
  const { events } = await operator.exchange.submit({
    kind: 'requestWithdrawal',
    account: operator.alice.account,
    asset: as(0),
    network: 'ETH',
    address: addresses.stranger,
    memo: null,
    amount: as<Balance>(coins * 10n ** 9n),
    withdrawOrderId: null,
    remark: null,
  });
  const changed = events.find((event) => event.kind === 'withdrawalChanged');
  if (changed === undefined) throw new TypeError(JSON.stringify(events));
  const { withdrawal } = changed.withdrawal;
  const step = { transaction: null, confirmations: 0, networkFee: as<Balance>(0n) };
  await operator.exchange.submit({ kind: 'advanceWithdrawal', withdrawal, event: 'assess', ...step });
  return withdrawal;
}
