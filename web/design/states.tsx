import type { ComponentChildren } from 'preact';
import { Button } from '#web/design/button.tsx';

/** Nothing is here, and why. */
export const Empty = ({ text, children }: { readonly text: string; readonly children?: ComponentChildren }) => (
  <div class="state">
    <p>{text}</p>
    {children}
  </div>
);

/** Something is on its way. */
export const Loading = ({ text = 'Loading' }: { readonly text?: string }) => (
  <div class="state" role="status">
    <span class="loading-bar" aria-hidden="true" />
    <span class="unseen">{text}</span>
  </div>
);

/** Something could not be had, with a way to try again. */
export const Failure = ({ text, onRetry }: { readonly text: string; readonly onRetry?: () => void }) => (
  <div class="state" role="alert">
    <p>{text}</p>
    {onRetry === undefined ? null : (
      <Button isSmall onClick={onRetry}>
        Try again
      </Button>
    )}
  </div>
);

/** What concerns the whole page, at its top. */
export const Banner = ({ children }: { readonly children: ComponentChildren }) => (
  <div class="banner" role="status">
    {children}
  </div>
);
