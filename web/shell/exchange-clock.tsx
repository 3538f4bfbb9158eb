import { useEffect, useState } from 'preact/hooks';
import { publicClient } from '#web/data/clients.ts';
import { dateText } from '#web/design/values.tsx';

const measureMs = 15_000;
/** From how far apart on the viewer has to know. */
const apartMs = 60_000;

/** The exchange's time, where its clock is more than a minute from this machine's, as in a sandbox. DEC-WEB-04. */
export function ExchangeClock() {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    let isOver = false;
    const measure = (): void => {
      if (document.hidden) return;
      publicClient.measureClock().then(
        () => isOver || setNow(Date.now() + publicClient.clockOffsetMs),
        () => {
          // The next measurement tells.
        },
      );
    };
    measure();
    const timer = setInterval(measure, measureMs);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, []);
  if (now === null || Math.abs(publicClient.clockOffsetMs) <= apartMs) return null;
  const utc = new Date(now).toISOString();
  return (
    <span class="exchange-clock soft">
      <span class="exchange-clock-name">Exchange time </span>
      <time class="number" dateTime={utc} title={`Exchange time: ${utc.slice(0, 16).replace('T', ' ')} UTC`}>
        {dateText(now).slice(0, 16)}
      </time>
    </span>
  );
}
