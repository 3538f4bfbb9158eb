import { useState } from 'preact/hooks';
import { Button } from '#web/design/button.tsx';
import { Refused } from '#web/design/facts.tsx';
import { Field } from '#web/design/field.tsx';
import { momentOf } from '#web/office/data/member-texts.ts';
import { useControl } from '#web/office/sandbox/use-control.ts';
import type { ClockState } from '#web/office/sandbox/use-clock.ts';

const factors = ['1', '10', '60', '600'];

interface ClockModeProps {
  readonly state: ClockState;
  readonly onChange: () => void;
}

/** Lets the clock stand, run at a factor or follow the machine, or sets it forward. */
export function ClockMode({ state, onChange }: ClockModeProps) {
  const control = useControl(['factor', 'now']);
  const { isBusy, faults } = control;
  const [factor, setFactor] = useState('');
  const [moment, setMoment] = useState('');
  const set = async (members: object, done: string): Promise<void> => {
    if ((await control.run('setClock', { ...members }, done)) !== null) onChange();
  };
  const leap = (): void => {
    try {
      void set({ now: momentOf(moment) }, 'The clock was set forward.');
    } catch (error) {
      control.refuse({ now: (error as Error).message });
    }
  };
  return (
    <>
      <div class="office-acts">
        <Button
          disabled={isBusy || state.mode === 'standing'}
          onClick={() => void set({ mode: 'standing' }, 'The clock stands.')}
        >
          Stand
        </Button>
        <Button
          disabled={isBusy || state.mode === 'following'}
          onClick={() => void set({ mode: 'following' }, "The clock follows the machine's.")}
        >
          Follow the machine
        </Button>
      </div>
      <fieldset class="control-choices">
        <legend class="soft">Run at</legend>
        {factors.map((each) => (
          <Button
            key={each}
            disabled={isBusy}
            aria-pressed={state.mode === 'running' && state.factor === each}
            onClick={() => void set({ mode: 'running', factor: each }, `The clock runs at ${each} ×.`)}
          >
            {each} ×
          </Button>
        ))}
      </fieldset>
      <form
        class="control-line"
        onSubmit={(event) => {
          event.preventDefault();
          void set({ mode: 'running', factor: factor.trim() }, `The clock runs at ${factor.trim()} ×.`);
        }}
      >
        <Field
          label="Another factor"
          value={factor}
          onInput={setFactor}
          unit="×"
          inputMode="decimal"
          placeholder="0.01 to 1000"
          fault={faults['factor']}
        />
        <Button type="submit" disabled={isBusy || factor.trim() === ''}>
          Run
        </Button>
      </form>
      <form
        class="control-line"
        onSubmit={(event) => {
          event.preventDefault();
          leap();
        }}
      >
        <Field
          label="Leap to"
          value={moment}
          onInput={setMoment}
          unit="UTC"
          placeholder="2026-12-31 23:59"
          fault={faults['now']}
        />
        <Button type="submit" disabled={isBusy || moment.trim() === ''}>
          Leap
        </Button>
      </form>
      <Refused text={faults[''] ?? null} />
      <small class="soft">
        Time never runs backwards. A leap does what was due on the way once, at its end; an advance does it at its
        times.
      </small>
    </>
  );
}
