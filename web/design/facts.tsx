import '#web/design/marks.css';
import type { ComponentChildren } from 'preact';

/** A name with what it is: a text, a number, or nothing, which is left out. */
export type Fact = readonly [name: string, value: ComponentChildren, style?: string];

/** Names with their values, a line each. */
export const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl class="facts">
    {facts
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .flatMap(([name, value, style]) => [
        <dt key={`${name}?`}>{name}</dt>,
        <dd key={name} class={style}>
          {value}
        </dd>,
      ])}
  </dl>
);

/** How something stands: `good`, `bad`, `open` while it is under way. */
export type Standing = 'good' | 'bad' | 'open' | '';

/** The name of a state. */
export const StateName = ({ text, standing }: { readonly text: string; readonly standing: Standing }) => (
  <span class={`state-name ${standing}`.trim()}>{text}</span>
);

/** Why something was refused; nothing where it was not, or where a field says so already. DEC-WEB-30. */
export const Refused = ({ text }: { readonly text: string | null }) =>
  text === null ? null : (
    <p class="refused" role="alert">
      {text}
    </p>
  );
