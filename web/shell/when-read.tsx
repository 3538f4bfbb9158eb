import type { ComponentChildren } from 'preact';
import type { Answer } from '#web/data/use-answer.ts';
import { Failure, Loading } from '#web/design/states.tsx';

interface WhenReadProps<Value> {
  readonly answer: Answer<Value>;
  /** What is being read, for those who hear it. */
  readonly what: string;
  readonly children: (value: Value) => ComponentChildren;
}

/** Shows an answer once it is there; until then that it is on its way, or why it is not. */
export function WhenRead<Value>({ answer: { value, fault, reload }, what, children }: WhenReadProps<Value>) {
  if (value !== null) return <>{children(value)}</>;
  return fault === null ? <Loading text={`Reading ${what}`} /> : <Failure text={fault} onRetry={reload} />;
}
