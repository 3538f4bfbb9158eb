import { useState } from 'preact/hooks';
import { Button } from '#web/design/button.tsx';
import { Refused } from '#web/design/facts.tsx';
import { ChoiceField, Field } from '#web/design/field.tsx';
import { say } from '#web/design/toasts.tsx';
import { TimeText } from '#web/design/values.tsx';
import { momentOf } from '#web/office/data/member-texts.ts';
import type { AnyMembers, Answer } from '#web/office/data/office-calls.ts';
import { spanOf, spanText } from '#web/office/sandbox/span-text.ts';
import type { ClockState } from '#web/office/sandbox/use-clock.ts';
import { type ControlFaults, useControl } from '#web/office/sandbox/use-control.ts';

/** How exactly time passes. */
export type Pace = 'auto' | 'fine' | 'coarse';
/** The ways that can be chosen. */
export const paces: readonly { readonly value: Pace; readonly text: string }[] = [
  { value: 'auto', text: 'Fine up to a minute, else coarse' },
  { value: 'fine', text: 'Fine: each thing at its own time' },
  { value: 'coarse', text: 'Coarse: at steps of a minute or more' },
];

const endTexts: Readonly<Record<Answer<'advanceClock'>['ended'], string>> = {
  reached: 'The span is over',
  met: 'It happened',
  impossible: 'It cannot happen any more',
  cancelled: 'Cancelled',
  onItsWay: 'On its way',
};

interface ClockProps {
  readonly state: ClockState;
  readonly onChange: () => void;
}

/** Advances the clock; the progress is that of the clock, which goes on if this page is left. */
export function useAdvance(names: readonly string[], onChange: () => void) {
  const control = useControl(names);
  const advance = async (id: 'advanceClock' | 'advanceClockUntil', members: AnyMembers): Promise<void> => {
    const answer = control.run(id, members);
    // It has begun by then: the progress is shown while the answer is on its way.
    setTimeout(onChange, 100);
    const ended = await answer;
    onChange();
    if (ended !== null)
      say(`${endTexts[ended.ended]}.`, ended.ended === 'reached' || ended.ended === 'met' ? 'good' : 'plain');
  };
  return { ...control, advance };
}

/** How far an advance is, and the way to stop it; its place stays while there is none, so that nothing moves. */
export function AdvanceProgress({ state: { advance }, onChange }: ClockProps) {
  const control = useControl();
  if (advance === null) return <p class="control-progress soft">No advance is on its way.</p>;
  const { from, to, now } = advance;
  const share = Math.min(1, (now - from) / Math.max(1, to - from));
  const cancel = async (): Promise<void> => {
    await control.run('cancelAdvance', {});
    onChange();
  };
  return (
    <div class="control-progress">
      <progress aria-label="Advance" value={share} max={1} />
      <span>
        {Math.floor(share * 100)} %: {spanText(now - from)} of {spanText(to - from)}, at most until <TimeText at={to} />
      </span>
      <Button isSmall disabled={control.isBusy} onClick={() => void cancel()}>
        Cancel
      </Button>
      <Refused text={control.faults[''] ?? null} />
    </div>
  );
}

const presets = ['1 s', '1 m', '1 h', '8 h', '1 d', '7 d'];

/** Lets a span pass, or the time until a moment. */
export function AdvanceForm({ state, onChange }: ClockProps) {
  const { isBusy: isAsking, faults, refuse, advance } = useAdvance(['ms'], onChange);
  const isBusy = isAsking || state.advance !== null;
  const [span, setSpan] = useState('');
  const [moment, setMoment] = useState('');
  const [pace, setPace] = useState<Pace>('auto');
  const pass = (name: string, ms: () => number): void => {
    try {
      void advance('advanceClock', { ms: ms(), pace });
    } catch (error) {
      refuse({ [name]: (error as Error).message });
    }
  };
  const untilMoment = (): number => {
    const left = momentOf(moment) - state.now;
    if (left <= 0) throw new Error('It must be after what the clock shows.');
    return left;
  };
  return (
    <>
      <fieldset class="control-choices">
        <legend class="soft">By</legend>
        {presets.map((each) => (
          <Button key={each} disabled={isBusy} onClick={() => pass('ms', () => spanOf(each))}>
            {each}
          </Button>
        ))}
      </fieldset>
      <form
        class="control-line"
        onSubmit={(event) => {
          event.preventDefault();
          pass('ms', () => spanOf(span));
        }}
      >
        <Field label="Another span" value={span} onInput={setSpan} placeholder="1 h 30 m" fault={faults['ms']} />
        <Button type="submit" disabled={isBusy || span.trim() === ''}>
          Advance
        </Button>
      </form>
      <form
        class="control-line"
        onSubmit={(event) => {
          event.preventDefault();
          pass('moment', untilMoment);
        }}
      >
        <Field
          label="Until a moment"
          value={moment}
          onInput={setMoment}
          unit="UTC"
          placeholder="2026-12-31 00:00"
          fault={faults['moment']}
        />
        <Button type="submit" disabled={isBusy || moment.trim() === ''}>
          Advance to it
        </Button>
      </form>
      <ChoiceField label="Pace" value={pace} choices={paces} onChoose={setPace} />
      <AdvanceRefused faults={faults} />
    </>
  );
}

/** Why an advance was refused, where no field says so. */
export const AdvanceRefused = ({ faults }: { readonly faults: ControlFaults }) => <Refused text={faults[''] ?? null} />;
