import { effect, signal } from '@preact/signals';

/** What the viewer chose; `system`: what the browser says. */
export type Theme = 'system' | 'light' | 'dark';

const storeName = 'bourse-theme';

function stored(): Theme {
  try {
    const value = localStorage.getItem(storeName);
    return value === 'light' || value === 'dark' ? value : 'system';
  } catch {
    // Storage is refused: the browser's choice stands.
    return 'system';
  }
}

/** The chosen theme. */
export const theme = signal<Theme>(stored());

/** Whether the page is dark now. */
export const isDark = signal(false);

/** Follows the choice and the browser's scheme from now on. */
export function followTheme(): void {
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const update = (): void => {
    const { value } = theme;
    if (value === 'system') document.documentElement.removeAttribute('data-theme');
    else document.documentElement.setAttribute('data-theme', value);
    isDark.value = value === 'dark' || (value === 'system' && scheme.matches);
  };
  scheme.addEventListener('change', update);
  effect(update);
}

/** Turns light into dark and back, and remembers it. */
export function turnTheme(): void {
  theme.value = isDark.value ? 'light' : 'dark';
  try {
    localStorage.setItem(storeName, theme.value);
  } catch {
    // It holds for this page then.
  }
}
