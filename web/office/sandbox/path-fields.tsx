import { Button } from '#web/design/button.tsx';
import { ChoiceField, Field } from '#web/design/field.tsx';
import { type PathEntries, type ShapeKind, shapes } from '#web/office/sandbox/path-form.ts';
import type { ControlFaults } from '#web/office/sandbox/use-control.ts';

const kinds = Object.entries(shapes).map(([kind, { text }]) => ({ value: kind as ShapeKind, text }));

interface PathFieldsProps {
  readonly entries: PathEntries;
  readonly faults: ControlFaults;
  readonly onEnter: (part: Partial<PathEntries>) => void;
}

/** What is wrong with a member; bounds of percentages are told as the exchange has them. */
function faultOf(faults: ControlFaults, name: string, unit: 'percent' | 'span'): string | undefined {
  const refused = faults[`path/${name}`];
  if (refused === undefined) return faults[name];
  return refused.replace(/\.$/, unit === 'percent' ? ' in parts per million.' : ' in seconds.');
}

interface PlaceInputProps {
  readonly label: string;
  readonly value: string;
  readonly unit: string;
  readonly onInput: (value: string) => void;
}

const PlaceInput = ({ label, value, unit, onInput }: PlaceInputProps) => (
  <span class="field-box">
    <input
      aria-label={label}
      value={value}
      inputMode="decimal"
      autocomplete="off"
      onInput={(event) => onInput(event.currentTarget.value)}
    />
    <span class="field-unit">{unit}</span>
  </span>
);

/** The places of a drawn line as numbers. */
function Places({ entries: { places }, faults, onEnter }: PathFieldsProps) {
  const change = (index: number, part: Partial<(typeof places)[number]>): void => {
    const place = places[index];
    if (place !== undefined) onEnter({ places: places.with(index, { ...place, ...part }) });
  };
  const last = places.at(-1);
  const added = { seconds: String(Number(last?.seconds ?? 0) + 10), percent: last?.percent ?? '0' };
  return (
    <div class="path-places">
      {places.map((place, index) => (
        <div key={`${index}`} class="path-place-line">
          <PlaceInput
            label={`Time of place ${index + 1}`}
            value={place.seconds}
            unit="s"
            onInput={(seconds) => change(index, { seconds })}
          />
          <PlaceInput
            label={`Change at place ${index + 1}`}
            value={place.percent}
            unit="%"
            onInput={(percent) => change(index, { percent })}
          />
          <Button
            kind="quiet"
            isSmall
            aria-label={`Remove place ${index + 1}`}
            onClick={() => onEnter({ places: places.filter((_, at) => at !== index) })}
          >
            ×
          </Button>
        </div>
      ))}
      {faults['places'] === undefined ? null : (
        <span class="field-fault" role="alert">
          {faults['places']}
        </span>
      )}
      <Button isSmall onClick={() => onEnter({ places: [...places, added] })}>
        Add a place
      </Button>
    </div>
  );
}

/** The numbers of a path. DEC-WEB-62. */
export function PathFields({ entries, faults, onEnter }: PathFieldsProps) {
  const { kind, members, chance } = entries;
  return (
    <>
      <ChoiceField label="Shape" value={kind} choices={kinds} onChoose={(next) => onEnter({ kind: next })} />
      <div class="control-pair">
        {shapes[kind].fields.map(({ name, label, unit }) => (
          <Field
            key={name}
            label={label}
            value={members[name] ?? ''}
            unit={unit === 'percent' ? '%' : undefined}
            placeholder={unit === 'percent' ? '-5' : '1 m'}
            fault={faultOf(faults, name, unit)}
            onInput={(value) => onEnter({ members: { ...members, [name]: value } })}
          />
        ))}
        <Field
          label="Chance beside it"
          value={chance}
          unit="× usual"
          inputMode="decimal"
          placeholder="as it has"
          fault={faults['volatilityPpm']}
          onInput={(value) => onEnter({ chance: value })}
        />
      </div>
      {kind === 'segments' ? <Places {...{ entries, faults, onEnter }} /> : null}
    </>
  );
}
