import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { SiteLink } from '#http/site-links.ts';
import { Button } from '#web/design/button.tsx';
import { LogoIcon, ThemeIcon } from '#web/design/icons.tsx';
import { isDark, turnTheme } from '#web/design/theme.ts';
import { exchange } from '#web/shell/exchange-facts.ts';
import { path } from '#web/shell/router.ts';

const withoutEnd = (address: string): string => address.replace(/(?<=.)\/$/, '');

/** The link of the page that is shown: its own, or else the one that it is below. */
const currentOf = (links: readonly SiteLink[]): SiteLink | undefined =>
  links.find(({ href }) => withoutEnd(href) === withoutEnd(path.value)) ??
  links.find(({ under }) => under !== undefined && path.value.startsWith(under));

/** Where the pages do not fit, brings the one that is shown into sight. */
function useCurrentInSight() {
  const nav = useRef<HTMLElement>(null);
  const at = path.value;
  useEffect(() => {
    const link = nav.current?.querySelector<HTMLElement>('[aria-current]');
    if (nav.current !== null && link != null)
      nav.current.scrollLeft =
        link.offsetLeft - nav.current.offsetLeft - (nav.current.clientWidth - link.offsetWidth) / 2;
  }, [at]);
  return nav;
}

interface HeaderProps {
  readonly links: readonly SiteLink[];
  readonly tools: ComponentChildren;
}

/** Sign of the exchange, its pages, and tools at the right. */
export const Header = ({ links, tools }: HeaderProps) => {
  const nav = useCurrentInSight();
  return (
    <header class="site-header">
      <a class="site-logo" href="/" aria-label={`${exchange.name}: home`}>
        <LogoIcon />
        <span>{exchange.name}</span>
      </a>
      <nav ref={nav} class="site-nav" aria-label="Pages">
        {links.map((link) => (
          <a key={link.href} href={link.href} aria-current={link === currentOf(links) ? 'page' : undefined}>
            {link.title}
          </a>
        ))}
      </nav>
      <div class="site-tools">
        {exchange.profile === 'sandbox' ? <span class="site-tag">Sandbox</span> : null}
        {tools}
        <Button
          kind="quiet"
          isIcon
          aria-label={isDark.value ? 'Light colours' : 'Dark colours'}
          title={isDark.value ? 'Light colours' : 'Dark colours'}
          onClick={turnTheme}
        >
          <ThemeIcon />
        </Button>
      </div>
    </header>
  );
};
