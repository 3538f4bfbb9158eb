import { type ChannelName, channelParameters, type ChannelParameter } from '#websocket/channel.ts';
import { type PrivateChannel, privateChannels } from '#websocket/pushes/private-channels.ts';
import { bookChannels } from '#websocket/topics/book-topics.ts';
import { klineChannels } from '#websocket/topics/kline-topic.ts';
import type { PublicChannel } from '#websocket/topics/public-topic.ts';
import { tickerChannels } from '#websocket/topics/ticker-topics.ts';
import { tradeChannels } from '#websocket/topics/trade-topics.ts';

/** All channels, in the order of the documents. */
export const channels = {
  ...privateChannels,
  ...tradeChannels,
  ...bookChannels,
  ...klineChannels,
  ...tickerChannels,
};
export type ChannelId = keyof typeof channels;
type AnyChannel = (typeof channels)[ChannelId];

const channelIds = Object.keys(channels) as ChannelId[];
const byStem = new Map<string, ChannelId>(channelIds.map((id) => [channels[id].stem, id]));

/** Parses a channel name; `null` if there is no such channel. Does not check whether the symbol is listed. */
export function parseChannel(text: string): ChannelName<AnyChannel> | null {
  const [market, stem, ...parts] = text.split('@');
  const id = stem === undefined ? undefined : byStem.get(stem);
  if (market !== 'spot' || id === undefined) return null;
  const channel: AnyChannel = channels[id];
  if (parts.length !== channel.parts.length) return null;
  const values: Partial<Record<ChannelParameter, string>> = {};
  for (const [index, parameter] of channel.parts.entries()) {
    const value = parts[index] as string;
    const allowed: readonly string[] | null = channelParameters[parameter];
    if (allowed === null ? !/^[A-Z0-9]{2,24}$/.test(value) : !allowed.includes(value)) return null;
    values[parameter] = value;
  }
  return { id, channel, text, values };
}

/** Whether a name is that of a channel of one account. */
export const isPrivate = (name: ChannelName): name is ChannelName & { readonly id: PrivateChannel } =>
  name.channel.audience === 'private';
/** Whether a name is that of a channel that anybody may subscribe to. */
export const isPublic = (name: ChannelName): name is ChannelName<PublicChannel> => name.channel.audience === 'public';
