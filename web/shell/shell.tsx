import type { ComponentChildren } from 'preact';
import type { SiteLink } from '#http/site-links.ts';
import { Toasts } from '#web/design/toasts.tsx';
import { Footer } from '#web/shell/footer.tsx';
import { Header } from '#web/shell/header.tsx';

interface ShellProps {
  readonly links: readonly SiteLink[];
  /** At the foot. */
  readonly documents: readonly SiteLink[];
  readonly hasCharts?: boolean;
  /** At the right of the head. */
  readonly tools: ComponentChildren;
  /** Above the page, such as a lost connection. */
  readonly notice?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** What every page stands in. */
export const Shell = ({ links, documents, hasCharts = false, tools, notice, children }: ShellProps) => (
  <>
    <a class="skip-link" href="#main">
      To the content
    </a>
    <Header links={links} tools={tools} />
    {notice}
    <main id="main" tabIndex={-1}>
      {children}
    </main>
    <Footer links={documents} hasCharts={hasCharts} />
    <Toasts />
  </>
);
