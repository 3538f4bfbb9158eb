import type { Channel, ChannelParameter } from '#websocket/channel.ts';

/** Address of a channel family: `spot@public.kline.v3.api.pb@{symbol}@{interval}`. */
export const channelAddress = ({ stem, parts }: Channel): string =>
  ['spot', stem, ...parts.map((part) => `{${part}}`)].join('@');

const exampleParts: Readonly<Record<ChannelParameter, string>> = {
  symbol: 'BTCUSDT',
  speed: '100ms',
  levels: '5',
  interval: 'Min1',
  zone: 'UTC+8',
};

/** A channel of the family with such an address. */
export const exampleAddress = (address: string): string =>
  address.replaceAll(/\{(\w+)\}/g, (all, part: string) => exampleParts[part as ChannelParameter] ?? all);
