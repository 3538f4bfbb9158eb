import type { ComponentChildren } from 'preact';

/** A figure with its name above, within a list of them. */
export const Figure = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <div class="figure">
    <dt>{name}</dt>
    <dd class="number">{children}</dd>
  </div>
);
