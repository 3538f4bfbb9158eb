import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';

/**
 * What a button looks like: `primary` for the one act of a form, `buy` and `sell` for orders, `quiet` beside text,
 * `link` for what opens the row it stands in.
 */
export type ButtonKind = 'plain' | 'primary' | 'buy' | 'sell' | 'quiet' | 'link';

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'icon'> {
  readonly kind?: ButtonKind;
  readonly isSmall?: boolean;
  /** It shows a picture only: then give it an `aria-label`. */
  readonly isIcon?: boolean;
  readonly children: ComponentChildren;
}

/** A button; of type `button` unless it says otherwise. */
export function Button({ kind = 'plain', isSmall = false, isIcon = false, children, ...rest }: ButtonProps) {
  const style = ['button', kind, isSmall ? 'small' : '', isIcon ? 'icon' : ''].filter((name) => name !== '').join(' ');
  return (
    <button type="button" {...rest} class={style}>
      {children}
    </button>
  );
}
