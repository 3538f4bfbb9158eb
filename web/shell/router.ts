import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';

/** What stands in a path at the places with names. */
export type PathParts = Readonly<Record<string, string>>;

/** A page with what its path holds. */
export type Page = ComponentType<{ readonly parts: PathParts }>;

/** A page by its path; a part that begins with a colon stands for any word. */
export interface Route {
  readonly path: string;
  readonly title: string;
  readonly load: () => Promise<{ readonly Page: Page }>;
}

/** Where the viewer is. */
export const path = signal(location.pathname);

/** Parts of a path if it is of a route, else `null`. What cannot be decoded is of no route. */
export function partsOf(pattern: string, of: string): PathParts | null {
  const names = pattern.split('/');
  const words = of.replace(/(?<=.)\/$/, '').split('/');
  if (names.length !== words.length) return null;
  const parts: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const word = words[index] as string;
    if (name.startsWith(':')) {
      try {
        parts[name.slice(1)] = decodeURIComponent(word);
      } catch {
        return null;
      }
    } else if (name !== word) return null;
  }
  return parts;
}

/** Goes to another page of the shell. */
export function goTo(to: string, isReplaced = false): void {
  if (to === location.pathname + location.search + location.hash) return;
  if (isReplaced) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  path.value = location.pathname;
  if (!isReplaced) scrollTo(0, 0);
}

/** Whether a click is one that the browser would follow in this tab. */
const isPlain = (event: MouseEvent): boolean =>
  !event.defaultPrevented && event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** Follows links between pages of the shell without asking the server for a document; `isOwn`: whether one is. */
export function followLinks(isOwn: (path: string) => boolean): void {
  addEventListener('popstate', () => {
    path.value = location.pathname;
  });
  addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || !isPlain(event) || link.target !== '' || link.hasAttribute('download')) return;
    if (link.origin !== location.origin || !isOwn(link.pathname)) return;
    // A place on the same page: the browser goes there.
    if (link.hash !== '' && link.pathname === location.pathname) return;
    event.preventDefault();
    goTo(link.pathname + link.search + link.hash);
  });
}
