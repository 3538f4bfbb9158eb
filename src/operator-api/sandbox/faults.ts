import type { z } from 'zod';
import { FaultRefused } from '#sandbox/faults/check-rule.ts';
import type { FaultControls } from '#sandbox/faults/fault-controls.ts';
import type { FaultState } from '#sandbox/faults/fault-rule.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { createRequestMemory } from '#operator-api/requests/act.ts';
import { brokenRule, Problem } from '#operator-api/requests/problems.ts';
import type { faultEndpoints } from '#operator-api/sandbox/fault-endpoints.ts';

type Endpoints = typeof faultEndpoints;

const shown = (state: FaultState): z.input<Endpoints['addFault']['answer']> => state;

/** Handlers of faults; served only where there are controls of them. DEC-KIT-20, DEC-KIT-26. */
export function faultHandlers(context: OperatorContext): HandlersOf<Endpoints> {
  const once = createRequestMemory(context);
  const controlled = async <Answer>(act: (faults: FaultControls) => Answer | Promise<Answer>): Promise<Answer> => {
    const { faults } = context;
    if (faults === null) throw new Problem('unknownPath');
    try {
      return await act(faults);
    } catch (error) {
      throw error instanceof FaultRefused ? brokenRule(error.pointer, error.reason) : error;
    }
  };
  return {
    listFaults: () => controlled((faults) => ({ items: faults.list().map(shown) })),
    addFault: (request) =>
      once('addFault', request, () => controlled(async (faults) => shown(await faults.add(request.body)))),
    replaceFaults: (request) =>
      once('replaceFaults', request, () =>
        controlled(async (faults) => ({ items: (await faults.replace(request.body.rules)).map(shown) })),
      ),
    removeFault: (request) =>
      once('removeFault', request, () =>
        controlled((faults) => {
          const removed = faults.remove(request.path.id);
          if (removed === null) throw new Problem('unknownFault');
          return shown(removed);
        }),
      ),
    clearFaults: (request) => once('clearFaults', request, () => controlled((faults) => ({ removed: faults.clear() }))),
  };
}
