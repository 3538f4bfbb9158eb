import type { ComponentChildren } from 'preact';

interface ScrollFrameProps {
  /** What is in it, for those who hear it. */
  readonly label: string;
  readonly style: string;
  readonly children: ComponentChildren;
}

/** Keeps what is larger than its place; keys scroll it. A page may have many, so that it is no landmark. */
export const ScrollFrame = ({ label, style, children }: ScrollFrameProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
  <div class={style} role="group" tabIndex={0} aria-label={label}>
    {children}
  </div>
);
