import type { SiteLink } from '#http/site-links.ts';
import { exchange } from '#web/shell/exchange-facts.ts';

interface FooterProps {
  readonly links: readonly SiteLink[];
  /** Whether its pages have charts, whose maker is named. */
  readonly hasCharts: boolean;
}

/** What stands below every page: documents, state, and whose charts these are. */
export const Footer = ({ links, hasCharts }: FooterProps) => (
  <footer class="site-footer">
    <span>
      <span class="site-name">{exchange.name}</span> {exchange.version}
    </span>
    <nav aria-label="Documents">
      {links.map(({ href, title }) => (
        <a key={href} href={href}>
          {title}
        </a>
      ))}
    </nav>
    {hasCharts ? (
      <span>
        Charts by{' '}
        <a href="https://www.tradingview.com/" rel="noreferrer">
          TradingView Lightweight Charts™
        </a>
      </span>
    ) : null}
  </footer>
);
