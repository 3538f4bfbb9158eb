import { useEffect, useState } from 'preact/hooks';
import type { CallId } from '#web/office/data/office-calls.ts';
import { type Operation, operations } from '#web/office/data/operations.ts';

/** How an endpoint is asked; `null`: not known yet, `undefined`: this exchange does not serve it. */
export function useOperation(id: CallId): Operation | null | undefined {
  const [operation, setOperation] = useState<Operation | null | undefined>(null);
  useEffect(() => {
    let isCurrent = true;
    void operations().then(
      (all) => isCurrent && setOperation(all.get(id)),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [id]);
  return operation;
}
