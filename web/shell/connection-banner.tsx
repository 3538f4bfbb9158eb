import { streamStates } from '#web/data/streams/streams.ts';
import { Banner } from '#web/design/states.tsx';

/** Says that what is shown stands still, while a connection that was there is made again. */
export function ConnectionBanner() {
  const isLost = Object.values(streamStates).some(({ value }) => value === 'lost');
  return isLost ? <Banner>The connection is lost. Prices stand still until it is back.</Banner> : null;
}
