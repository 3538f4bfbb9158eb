import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { Reading } from '#web/office/data/use-office.ts';
import { ReadingView } from '#web/office/parts/reading-view.tsx';

interface SteadyViewProps<Value> {
  readonly reading: Reading<Value>;
  readonly children: (value: Value) => ComponentChildren;
}

/** What is read again and again; what was read last stays, and forms on it, while the exchange does not answer. */
export function SteadyView<Value>({ reading, children }: SteadyViewProps<Value>) {
  const last = useRef<Value | null>(null);
  if (reading.value !== null) last.current = reading.value;
  const { fault } = reading;
  if (last.current === null) return <ReadingView reading={reading}>{children}</ReadingView>;
  return (
    <>
      {fault === null ? null : (
        <p class="office-note" role="status">
          {fault} This is what was read last.
        </p>
      )}
      {children(last.current)}
    </>
  );
}
