import { dateText } from '#web/design/values.tsx';
import { spanText } from '#web/office/sandbox/span-text.ts';
import { type ClockState, useShownTime } from '#web/office/sandbox/use-clock.ts';

/** Differences below are those of the two machines' readings. */
const sameMs = 2000;

/** How a clock goes on, in words. */
export function modeText({ mode, factor }: ClockState): string {
  if (mode === 'standing') return 'Stands';
  if (mode === 'following') return "Follows the machine's clock";
  return `Runs at ${factor} ×`;
}

/** How far it is from the machine's clock, in words. */
function differenceText(ms: number): string {
  if (Math.abs(ms) < sameMs) return 'the same';
  return `${spanText(ms)} ${ms > 0 ? 'ahead of' : 'behind'} it`;
}

/** What the clock shows now, live, in UTC and in the viewer's zone, and how it goes on. */
export function ClockFace({ state }: { readonly state: ClockState }) {
  const now = useShownTime(state);
  const [day, time = ''] = new Date(now).toISOString().split('T');
  return (
    <>
      <p class="clock-face" role="timer" aria-label="Time of the exchange in UTC">
        <span class="clock-day">{day}</span> <span class="clock-time">{time.slice(0, 10)}</span>{' '}
        <span class="soft">UTC</span>
      </p>
      <dl class="office-record">
        <div>
          <dt>Mode</dt>
          <dd>{state.advance === null ? modeText(state) : 'Advances'}</dd>
        </div>
        <div>
          <dt>Machine's clock</dt>
          <dd>{differenceText(state.offsetMs)}</dd>
        </div>
        <div>
          <dt>In your zone</dt>
          <dd class="number">{dateText(now)}</dd>
        </div>
      </dl>
    </>
  );
}
