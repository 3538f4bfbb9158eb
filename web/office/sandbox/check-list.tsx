import { Button } from '#web/design/button.tsx';

interface CheckListProps {
  readonly title: string;
  readonly names: readonly string[];
  readonly chosen: readonly string[];
  readonly onChoose: (chosen: readonly string[]) => void;
  readonly fault?: string | undefined;
}

/** Several of some names: a box for each, and for all at once. */
export const CheckList = ({ title, names, chosen, onChoose, fault }: CheckListProps) => (
  <fieldset class="office-words control-names">
    <legend class="soft">{title}</legend>
    {names.map((name) => (
      <label key={name} class="choice">
        <input
          type="checkbox"
          checked={chosen.includes(name)}
          onChange={() => onChoose(names.filter((each) => chosen.includes(each) !== (each === name)))}
        />
        {name}
      </label>
    ))}
    <Button kind="quiet" isSmall onClick={() => onChoose(chosen.length === names.length ? [] : names)}>
      {chosen.length === names.length ? 'None' : 'All'}
    </Button>
    {fault === undefined ? null : <span class="field-fault">{fault}</span>}
  </fieldset>
);
