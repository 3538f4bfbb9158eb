import { isConnectionLost, listenFault } from '#web/data/streams/streams.ts';
import { Banner } from '#web/design/states.tsx';

/** Says that what is shown stands still, while a connection that was there is made again. DEC-WEB-15. */
export function ConnectionBanner() {
  if (isConnectionLost.value) return <Banner>The connection is lost. Prices stand still until it is back.</Banner>;
  const fault = listenFault.value;
  return fault === null ? null : <Banner>Orders and balances do not follow by themselves: {fault}.</Banner>;
}
