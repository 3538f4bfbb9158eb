import { useId } from 'preact/hooks';

interface DateFieldProps {
  readonly label: string;
  /** A day such as `2026-01-31`; empty: none. */
  readonly value: string;
  readonly onInput: (value: string) => void;
}

/** A day of the viewer's calendar, or none. */
export function DateField({ label, value, onInput }: DateFieldProps) {
  const id = useId();
  return (
    <div class="field date-field">
      <div class="field-label">
        <label for={id}>{label}</label>
      </div>
      <div class="field-box">
        <input id={id} type="date" value={value} onInput={(event) => onInput(event.currentTarget.value)} />
      </div>
    </div>
  );
}

const dayMs = 86_400_000;

/** When a day of the viewer begins, in ms since 1970 UTC; `null`: no day. */
export function beginOfDay(day: string): number | null {
  const at = new Date(`${day}T00:00:00`).getTime();
  return Number.isNaN(at) ? null : at;
}

/** The last millisecond of a day of the viewer. A day that clocks change on has another length. */
export function endOfDay(day: string): number | null {
  const begin = beginOfDay(day);
  if (begin === null) return null;
  const next = new Date(begin + dayMs + dayMs / 2);
  next.setHours(0, 0, 0, 0);
  return next.getTime() - 1;
}
