import { wireLimits } from '#api/limits.ts';
import { BanLadder } from '#gateway/ban-ladder.ts';
import { ClientAddresses } from '#gateway/client-address.ts';
import { futuresBudget } from '#gateway/endpoint-plan.ts';
import { Firewall } from '#gateway/firewall.ts';
import type { GatewaySettings } from '#gateway/gateway-context.ts';
import { InFlight } from '#gateway/in-flight.ts';
import { SignatureReuse } from '#gateway/signature-reuse.ts';
import { WeightBudget } from '#gateway/weight-budget.ts';

/** Everything the gateway remembers about who calls how often; all of it bounded. */
export interface Admission {
  readonly addresses: ClientAddresses;
  readonly firewall: Firewall;
  readonly bans: BanLadder;
  readonly addressBudget: WeightBudget;
  readonly futuresBudget: WeightBudget;
  readonly accountBudget: WeightBudget;
  /** Calls per second of accounts, by the number that an endpoint allows. */
  readonly callsPerSecond: (limit: number) => WeightBudget;
  readonly inFlight: InFlight;
  readonly signatureReuse: SignatureReuse;
  /** Open HTTP connections by address, over all ports; bounded by the most that each port takes. */
  readonly connections: Map<string, number>;
}

const second = 1000;

/** Fresh limits under these settings. @throws RangeError for an address range in them that is none. */
export function createAdmission(settings: GatewaySettings): Admission {
  const { rate } = wireLimits;
  const weights = { windowMs: rate.windowMs, limit: rate.weightPerWindow, bucketsMax: rate.bucketsKept };
  const perSecond = new Map<number, WeightBudget>();
  return {
    addresses: new ClientAddresses(settings.trustedProxies),
    firewall: new Firewall({ denied: settings.deniedAddresses, faultsMax: settings.faultsPerWindow }),
    bans: new BanLadder({
      violationsMax: settings.banAfter,
      firstMs: settings.banFirstSeconds * second,
      longestMs: settings.banMostSeconds * second,
      memoryMs: settings.banMemoryHours * 3600 * second,
    }),
    addressBudget: new WeightBudget(weights),
    futuresBudget: new WeightBudget(futuresBudget),
    accountBudget: new WeightBudget(weights),
    callsPerSecond: (limit) => {
      const known = perSecond.get(limit) ?? new WeightBudget({ windowMs: second, limit, bucketsMax: rate.bucketsKept });
      perSecond.set(limit, known);
      return known;
    },
    inFlight: new InFlight(wireLimits.inFlightPerAccount),
    signatureReuse: new SignatureReuse(settings.signatureReuse),
    connections: new Map(),
  };
}
