import { futuresWalletOf, house, houseNames, innerHouse, ledgerSections } from '#model/account.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { AccountId, AssetId } from '#model/units.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Why an asset cannot be delisted. */
export interface AssetObstacle {
  readonly reason: RejectReason;
  /** One thing that stands in the way, in words: `pair BTCUSDT`. */
  readonly what: string;
}

/** Answers what of one kind stands in the way; `null`: nothing. */
type FindObstacle = (state: EngineState, asset: AssetId) => string | null;

/** The first thing that stands in the way of delisting a listed asset; `null`: nothing does. DEC-OPR-172. */
export function obstacleToDelisting(state: EngineState, asset: AssetId): AssetObstacle | null {
  for (const [reason, find] of obstacles) {
    const what = find(state, asset);
    if (what !== null) return { reason, what };
  }
  return null;
}

/** Contracts count in any state: they are never delisted, and their insurance funds can be given money. */
const contractOf: FindObstacle = ({ contracts }, asset) => {
  const found = contracts.all().find(({ rules }) => rules.base === asset || rules.settle === asset);
  return found === undefined ? null : `contract ${found.rules.name}`;
};

const pairOf: FindObstacle = ({ symbols }, asset) => {
  const found = symbols
    .all()
    .find(({ status, base, quote }) => status !== 'delisted' && (base === asset || quote === asset));
  return found === undefined ? null : `pair ${found.name}`;
};

const commissionIn: FindObstacle = ({ feeToken: { value } }, asset) => {
  if (value?.token === asset) return 'platform token';
  return value?.valuedIn === asset ? 'valuation asset of the platform token' : null;
};

const walletRule: FindObstacle = ({ walletRules: { value } }, asset) => {
  if (value?.valuedIn === asset) return 'valuedIn of the rules of the wallet';
  return value?.transferable.includes(asset) === true ? 'transferable of the rules of the wallet' : null;
};

/** The native coin pays the fees of a network, and stays while another asset is on it. */
const networkPaidIn: FindObstacle = ({ assetNetworks }, asset) => {
  const all = assetNetworks.all();
  const found = all.find(
    ({ asset: native, network, contract }) =>
      native === asset && contract === null && all.some((each) => each.network === network && each.asset !== asset),
  );
  return found === undefined ? null : `network ${found.network}`;
};

/** Payments that are on their way, or that a chain may still take back, or that nobody has booked. */
const payment: FindObstacle = (state, asset) =>
  depositOf(state, asset) ?? withdrawalOf(state, asset) ?? paidWithdrawalOf(state, asset) ?? unknownOf(state, asset);

const depositOf: FindObstacle = ({ deposits, at }, asset) => {
  const found = deposits
    .all()
    .find((each) => each.asset === asset && each.status !== 'rejected' && deposits.current(each.deposit, at) !== null);
  return found === undefined ? null : `deposit ${found.deposit} (${found.status})`;
};

const withdrawalOf: FindObstacle = ({ withdrawals }, asset) => {
  const found = withdrawals.allOpen().find((each) => each.asset === asset);
  return found === undefined ? null : `withdrawal ${found.withdrawal} (${found.status})`;
};

const paidWithdrawalOf: FindObstacle = ({ paidWithdrawals, assetNetworks, at }, asset) => {
  const networks = assetNetworks.all().filter((each) => each.asset === asset);
  const found =
    networks.flatMap(({ network }) => paidWithdrawals.followedOf(network, at)).find((each) => each.asset === asset) ??
    paidWithdrawals.allLost().find((each) => each.asset === asset && each.booking === null);
  return found === undefined ? null : `withdrawal ${found.withdrawal}, which was paid`;
};

/** One whose asset nobody knows may be of any on its network. */
const unknownOf: FindObstacle = ({ unknownPayments, assetNetworks }, asset) => {
  const found = unknownPayments
    .all()
    .find(
      (each) =>
        each.booking === null &&
        (each.asset === asset || (each.asset === null && assetNetworks.get(asset, each.network) !== null)),
    );
  return found === undefined ? null : `payment ${found.network}/${found.payment}`;
};

/** What is beyond custody: together nothing where all others have nothing. DEC-OPR-185. */
const beyond: ReadonlySet<number> = new Set([house.outside, innerHouse.revenue]);

/** The first ledger account in custody that has or owes any of it, free or held, those of the house among them. */
const holder: FindObstacle = ({ ledger: { balances }, accounts }, asset) => {
  for (let row = 0; row < balances.count; row += 1) {
    if (balances.assetOf(row) !== asset || beyond.has(balances.accountOf(row))) continue;
    if (balances.free.get(row) === 0n && balances.held.get(row) === 0n) continue;
    const owner = balances.accountOf(row) as AccountId;
    const name = houseNames.get(owner);
    if (name !== undefined) return `house account ${name}`;
    const isFutures = owner >= ledgerSections.futuresFrom;
    const account = (isFutures ? owner - futuresWalletOf(0 as AccountId) : owner) as AccountId;
    return `${isFutures ? 'futures wallet' : 'balance'} of account ${accounts.get(account)!.uid}`;
  }
  return null;
};

/** Each kind of obstacle with its refusal; the last one takes the longest to find. */
const obstacles: readonly (readonly [RejectReason, FindObstacle])[] = [
  ['assetHasContract', contractOf],
  ['assetPaysCommission', commissionIn],
  ['assetOfWalletRules', walletRule],
  ['assetHasPair', pairOf],
  ['assetPaysNetwork', networkPaidIn],
  ['assetInTransit', payment],
  ['assetHeld', holder],
];
