import { grouped } from '#web/design/number-text.ts';

interface NumberTextProps {
  /** The number's text; empty: there is none. */
  readonly value: string | null | undefined;
  readonly decimals?: number | undefined;
  readonly style?: string | undefined;
}

/** A number in figures of one width; a dash where there is none. */
export const NumberText = ({ value, decimals, style = '' }: NumberTextProps) => (
  <span class={`number ${style}`.trim()}>
    {value === null || value === undefined || value === '' ? '–' : grouped(value, decimals)}
  </span>
);

/** An amount with its coin. */
export const Sum = ({ value, coin }: { readonly value: string | null; readonly coin: string }) => (
  <>
    <NumberText value={value} /> {coin}
  </>
);

const two = (value: number): string => String(value).padStart(2, '0');

/** Time of day in the viewer's zone. */
export function clockText(ms: number): string {
  const at = new Date(ms);
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** Day and time in the viewer's zone. */
export function dateText(ms: number): string {
  const at = new Date(ms);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${clockText(ms)}`;
}

interface TimeTextProps {
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  /** The time of day is enough. */
  readonly isShort?: boolean;
}

/** A moment in the viewer's zone, with UTC at hand. DEC-WEB-04. */
export function TimeText({ at, isShort = false }: TimeTextProps) {
  const utc = new Date(at).toISOString();
  return (
    <time class="number" dateTime={utc} title={`${utc.replace('T', ' ').replace('Z', '')} UTC`}>
      {isShort ? clockText(at) : dateText(at)}
    </time>
  );
}
