import { keccak256 } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { canonicalAddress } from '#custody/addresses/addresses.ts';
import type { FundsPurpose, LackingFunds, OutgoingPayment, SignedTransaction, Signing } from '#custody/custody.ts';
import { asHex, transferData } from '#custody/evm/erc20.ts';
import type { GasFees } from '#custody/evm/fees.ts';
import { gasLimitOf, marketFees, plainPaymentGas } from '#custody/evm/fees.ts';
import type { EvmKeys } from '#custody/evm/keys.ts';
import type { EvmNode, StateTag } from '#custody/evm/node.ts';
import type { EvmSettings } from '#custody/evm/settings.ts';
import type { SignedPayments } from '#custody/evm/signed-payments.ts';

/** What signing needs. */
export interface SigningTools {
  readonly node: EvmNode;
  readonly keys: EvmKeys;
  readonly settings: EvmSettings;
  readonly signed: SignedPayments;
}

/** What the journal knows of earlier payments of the wallet; see `NetworkCustody.sign`. */
interface Journaled {
  readonly nonceFrom: number;
  readonly paidLastHour: bigint;
}

/** What a transaction does, apart from its nonce and fees. */
export interface Transfer {
  readonly to: string;
  readonly value: bigint;
  readonly data: string;
}

/** The transaction of a payment: the native coin goes to the receiver, a token by a call of its contract. */
export function transferOf({ address, contract, amount }: OutgoingPayment): Transfer {
  if (contract === null) return { to: address, value: amount, data: '0x' };
  return { to: contract, value: 0n, data: transferData(address, amount) };
}

/** Signs a transaction of type 2 (EIP-1559). */
export async function signTransfer(
  account: PrivateKeyAccount,
  transfer: Transfer,
  details: { readonly chainId: number; readonly nonce: number; readonly gas: bigint; readonly fees: GasFees },
): Promise<SignedTransaction & { readonly nonce: number }> {
  const { chainId, nonce, gas, fees } = details;
  const { to, value, data } = transfer;
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId,
    nonce,
    gas,
    maxFeePerGas: fees.maxFeePerGas,
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
    to: asHex(to),
    value,
    data: asHex(data),
  });
  return { txId: keccak256(raw), raw, nonce };
}

/**
 * Signs a payment from the hot wallet, or says why not. A payment is impossible for ever only where it names no
 * receiver that can be paid; whatever depends on the chain, on a contract or on the settings may change. DEC-WAL-47.
 */
export async function signPayment(
  tools: SigningTools,
  payment: OutgoingPayment,
  { nonceFrom, paidLastHour }: Journaled,
): Promise<Signing> {
  const { node, keys, settings, signed } = tools;
  const fault = paymentFault(payment, keys);
  if (fault !== null) return { kind: 'refused', until: 'never', reason: fault };
  if (keys.spending === null) return later('this installation only watches; its owner pays withdrawals by hand');
  const limit = limitFault(tools, payment, paidLastHour);
  if (limit !== null) return later(limit);

  const head = await node.head();
  const fees = await marketFees(node, head, settings.feeCaps);
  if (fees === null) return later('the network fee is above its cap');
  const { hotWallet } = keys.spending;
  const [mined] = await node.counts([hotWallet.address], head.number);
  const nonce = Math.max(settings.firstNonce, nonceFrom);
  // Whatever has that nonce may be this very payment: it is found out about first, and never passed over.
  if (mined! > nonce)
    return later(`the wallet has sent a transaction with nonce ${nonce} that the journal does not know`);
  const state = await walletState(tools, {
    wallet: hotWallet.address,
    mined: mined!,
    nonce,
    contract: payment.contract,
  });
  if (typeof state === 'string') return later(state);
  const isToken = payment.contract !== null;
  if (isToken && state.tokens < payment.amount)
    return lacking({ contract: payment.contract, needed: payment.amount, available: state.tokens }, 'amount');
  const native = { contract: null, available: state.native };
  const feeMin = plainPaymentGas * fees.maxFeePerGas;
  if (!isToken && state.native < payment.amount)
    return lacking({ ...native, needed: payment.amount + feeMin }, 'amount');
  if (state.native < 0n) return lacking({ ...native, needed: feeMin }, 'networkFee');

  const transfer = transferOf(payment);
  const estimate = await node.estimateGas({ from: hotWallet.address, ...transfer }, state.tag);
  if (typeof estimate !== 'bigint') return later(`the network would not carry it out: ${estimate.message}`);
  const gas = gasLimitOf(estimate);
  if (gas > settings.feeCaps.gasMax) return later(`it needs ${gas} gas, more than the cap`);
  const networkFeeMax = gas * fees.maxFeePerGas;
  const needed = transfer.value + networkFeeMax;
  if (state.native < needed) return lacking({ ...native, needed }, 'networkFee');
  const transaction = await signTransfer(hotWallet, transfer, { chainId: settings.chainId, nonce, gas, fees });
  const { contract, amount } = payment;
  signed.add({ contract, amount, nonce, networkFeeMax });
  return { kind: 'signed', transaction };
}

const later = (reason: string): Signing => ({ kind: 'refused', until: 'later', reason });
const lacking = (funds: Omit<LackingFunds, 'purpose'>, purpose: FundsPurpose): Signing => {
  const amount = funds.contract === null ? 'the wallet has too little' : 'the wallet has too little of the token';
  const reason = purpose === 'amount' ? amount : 'the wallet has too little for the network fee';
  return { kind: 'refused', until: 'later', reason, lacks: { ...funds, purpose } };
};

/** Why a payment can never be made; null: it may be possible. */
function paymentFault({ address, memo, contract, amount }: OutgoingPayment, keys: EvmKeys): string | null {
  const canonical = canonicalAddress('ETH', address);
  if (canonical === null) return 'the address is none of this network';
  if (memo !== null && memo !== '') return 'the network has no memos';
  if (amount <= 0n || amount >= 2n ** 256n) return 'the amount cannot be sent';
  const receiver = canonical.toLowerCase();
  if (contract !== null && canonicalAddress('ETH', contract) === null) return 'the contract is none of this network';
  if (receiver === contract?.toLowerCase()) return "the receiver is the token's own contract";
  if (keys.ownWallets.includes(receiver)) return 'the receiver is a wallet of the exchange itself';
  return null;
}

/** Why the settings do not let a payment be made now; null: they do. */
function limitFault(
  { settings }: SigningTools,
  { contract, amount }: OutgoingPayment,
  paidLastHour: bigint,
): string | null {
  const coin =
    contract === null
      ? settings.nativeCoin
      : settings.tokens.find((token) => token.contract.toLowerCase() === contract.toLowerCase());
  if (coin === undefined) return `the token ${contract} is not among the settings of the network`;
  if (coin.perHourMax !== null && paidLastHour + amount > coin.perHourMax) return 'the hourly limit is used up';
  return null;
}

interface WalletState {
  readonly tag: StateTag;
  readonly native: bigint;
  readonly tokens: bigint;
}

/**
 * What the wallet has left once every transaction before `nonce` is in a block: those that the node has by its pending
 * state, those that it has not by what this process remembers. A text: one is known to neither, so that nobody can say.
 */
async function walletState(
  { node, signed }: SigningTools,
  asked: { readonly wallet: string; readonly mined: number; readonly nonce: number; readonly contract: string | null },
): Promise<WalletState | string> {
  const { wallet, mined, nonce, contract } = asked;
  const tag = nonce > mined ? 'pending' : 'latest';
  const [known] = await node.counts([wallet], tag);
  const unsent = signed.between(Math.max(known!, mined), nonce);
  if (unsent === null) return `the network has not got the transaction with nonce ${known} yet`;
  const [native] = await node.balances([wallet], tag);
  const [tokens] = contract === null ? [0n] : await node.tokenBalances(contract, [wallet], tag);
  let [nativeOwed, tokensOwed] = [0n, 0n];
  for (const payment of unsent) {
    nativeOwed += payment.networkFeeMax + (payment.contract === null ? payment.amount : 0n);
    if (payment.contract !== null && payment.contract === contract) tokensOwed += payment.amount;
  }
  return { tag, native: native! - nativeOwed, tokens: tokens! - tokensOwed };
}
