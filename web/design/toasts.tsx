import { signal } from '@preact/signals';
import { Button } from '#web/design/button.tsx';
import { CloseIcon } from '#web/design/icons.tsx';

/** How something went. */
export type ToastKind = 'plain' | 'good' | 'bad';

interface Toast {
  readonly id: number;
  readonly kind: ToastKind;
  readonly text: string;
}

const shownMs = 6000;
const shownMax = 4;
let lastId = 0;
const toasts = signal<readonly Toast[]>([]);

const remove = (id: number): void => {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
};

/** Says something at the edge of the page for some seconds. */
export function say(text: string, kind: ToastKind = 'plain'): void {
  lastId += 1;
  const id = lastId;
  toasts.value = [...toasts.value, { id, kind, text }].slice(-shownMax);
  setTimeout(() => remove(id), shownMs);
}

/** Where it is said: once a page. */
export const Toasts = () => (
  <div class="toasts" role="status" aria-live="polite">
    {toasts.value.map(({ id, kind, text }) => (
      <div key={id} class={`toast ${kind}`}>
        <p>{text}</p>
        <Button kind="quiet" isSmall isIcon aria-label="Dismiss" onClick={() => remove(id)}>
          <CloseIcon />
        </Button>
      </div>
    ))}
  </div>
);
