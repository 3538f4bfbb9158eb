import { compareAmounts, isAmount, isNothing } from '#web/data/amounts.ts';
import { Field } from '#web/design/field.tsx';
import { NumberText } from '#web/design/values.tsx';

interface AmountFieldProps {
  readonly asset: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** What can be moved; `null`: nobody knows. */
  readonly free: string | null;
  readonly fault: string | null;
}

/** How much of an asset, with what is free of it. */
export const AmountField = ({ asset, value, onInput, free, fault }: AmountFieldProps) => (
  <Field
    label="Amount"
    name="amount"
    inputMode="decimal"
    unit={asset}
    value={value}
    onInput={onInput}
    fault={fault}
    aside={
      free === null ? undefined : (
        <span>
          Free <NumberText value={free} />{' '}
          <button type="button" class="link-button" onClick={() => onInput(free)}>
            All
          </button>
        </span>
      )
    }
  />
);

/** What is wrong with an amount to be moved; `null`: nothing that this page knows of. */
export function faultOfMove(amount: string, asset: string, free: string | null): string | null {
  if (!isAmount(amount)) return 'Write an amount in digits, such as 12.5.';
  if (isNothing(amount)) return 'Write an amount above zero.';
  return free !== null && (compareAmounts(amount, free) ?? 0) > 0 ? `Only ${free} ${asset} are free.` : null;
}
