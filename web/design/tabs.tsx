import type { TargetedKeyboardEvent } from 'preact';

/** One of several views of a place. */
export interface Tab<Id extends string> {
  readonly id: Id;
  readonly title: string;
  /** How many things are in it. */
  readonly count?: number | undefined;
}

interface TabsProps<Id extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<Id>[];
  readonly chosen: Id;
  readonly onChoose: (id: Id) => void;
}

/** A row of tabs; the arrow keys go from one to the next. */
export function Tabs<Id extends string>({ label, tabs, chosen, onChoose }: TabsProps<Id>) {
  const turn = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const at = tabs.findIndex(({ id }) => id === chosen);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (next === undefined) return;
    onChoose(next.id);
    const buttons = event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]');
    buttons[tabs.indexOf(next)]?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={turn}>
      {tabs.map(({ id, title, count }) => (
        <button
          key={id}
          type="button"
          class="tab"
          role="tab"
          aria-selected={id === chosen}
          tabIndex={id === chosen ? 0 : -1}
          onClick={() => onChoose(id)}
        >
          {title}
          {count === undefined ? null : <span class="tab-count">{count}</span>}
        </button>
      ))}
    </div>
  );
}
