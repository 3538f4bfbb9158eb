import { setImmediate as nextTurn } from 'node:timers/promises';
import { type PrivateChannel, privateChannels } from '#websocket/pushes/private-channels.ts';
import type { AccountId, Seq } from '#model/units.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import { AccountBalances } from '#websocket/topics/account-balances.ts';
import type { PrivateAudience } from '#websocket/pushes/private-pushes.ts';
import type { Push, Receiver } from '#websocket/pushes/push.ts';

const channelIds = Object.keys(privateChannels) as PrivateChannel[];

/** Balances of an account, kept while its account channel has subscribers. */
interface Following {
  readonly balances: AccountBalances;
  readonly followers: Set<Receiver>;
  /** Resolves once the balances have their initial image; `null`: they have it. */
  starting: Promise<void> | null;
}

/** Subscribers of private channels by account, and the balances that their pushes contain. */
export class PrivateTopics implements PrivateAudience {
  private readonly queries: Pick<ExchangeQueries, 'balancesAt'>;
  private readonly audiences = Object.fromEntries(
    channelIds.map((channel) => [channel, new Map<AccountId, Set<Receiver>>()]),
  ) as Record<PrivateChannel, Map<AccountId, Set<Receiver>>>;
  private readonly following = new Map<AccountId, Following>();

  constructor(queries: Pick<ExchangeQueries, 'balancesAt'>) {
    this.queries = queries;
  }

  wants(channel: PrivateChannel, account: AccountId): boolean {
    return this.audiences[channel].has(account);
  }

  send(channel: PrivateChannel, account: AccountId, push: Push): void {
    const audience = this.audiences[channel].get(account);
    if (audience !== undefined) for (const receiver of audience) receiver.push(push);
  }

  balancesOf(account: AccountId): AccountBalances | undefined {
    return this.following.size === 0 ? undefined : this.following.get(account)?.balances;
  }

  /**
   * Resolves when a receiver may be added; `null`: at once. The account channel needs the account's balances, which are
   * read from the engine first. Rejects if they cannot be read: then no balances are kept.
   */
  prepare(channel: PrivateChannel, account: AccountId, receiver: Receiver, position: () => Seq): Promise<void> | null {
    if (channel !== 'account') return null;
    let following = this.following.get(account);
    if (following === undefined) {
      following = { balances: new AccountBalances(), followers: new Set(), starting: null };
      this.following.set(account, following);
      following.starting = this.start(account, following, position);
    }
    following.followers.add(receiver);
    return following.starting;
  }

  add(channel: PrivateChannel, account: AccountId, receiver: Receiver): void {
    const audience = this.audiences[channel].get(account);
    if (audience === undefined) this.audiences[channel].set(account, new Set([receiver]));
    else audience.add(receiver);
  }

  /** Removes a receiver, including one that was prepared but not added. */
  remove(channel: PrivateChannel, account: AccountId, receiver: Receiver): void {
    const audience = this.audiences[channel].get(account);
    audience?.delete(receiver);
    if (audience?.size === 0) this.audiences[channel].delete(account);
    if (channel !== 'account') return;
    const following = this.following.get(account);
    following?.followers.delete(receiver);
    if (following?.followers.size === 0) this.following.delete(account);
  }

  /** Accounts with subscribers, summed over channels, for tests of leaks. */
  get size(): number {
    return channelIds.reduce((sum, channel) => sum + this.audiences[channel].size, this.following.size);
  }

  private async start(account: AccountId, following: Following, position: () => Seq): Promise<void> {
    try {
      let image = await this.queries.balancesAt(account);
      // An engine in another process may answer before its events arrive here; the image must not be ahead of them.
      while (image.seq > position()) {
        await nextTurn();
        image = await this.queries.balancesAt(account);
      }
      following.balances.start(image.seq, image.balances);
      following.starting = null;
    } catch (error) {
      if (this.following.get(account) === following) this.following.delete(account);
      throw error;
    }
  }
}
