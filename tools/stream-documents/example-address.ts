import type { ChannelParameter } from '#websocket/channel.ts';

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
