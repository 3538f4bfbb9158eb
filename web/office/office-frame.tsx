import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { mayDo } from '#web/office/operator-session.ts';
import { type Section, sectionGroups } from '#web/office/sections.ts';
import { goTo, path } from '#web/shell/router.ts';

const isCurrent = ({ href }: Section): boolean =>
  path.value === href || (href !== '/' && path.value.startsWith(`${href}/`));

const SectionLink = ({ section }: { readonly section: Section }) => {
  const isOpen = mayDo(section.scope);
  return (
    <a
      href={section.href}
      class={isOpen ? undefined : 'closed'}
      title={isOpen ? undefined : `It needs the scope ${section.scope}.`}
      aria-current={isCurrent(section) ? 'page' : undefined}
    >
      {section.title}
      {isOpen ? null : <span class="unseen"> (not with this token)</span>}
    </a>
  );
};

/** The list of pages, which scrolls by itself to the one that is shown. */
function Index() {
  const list = useRef<HTMLElement>(null);
  const at = path.value;
  useEffect(() => list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }), [at]);
  return (
    <nav ref={list} class="office-index" aria-label="Back office">
      {sectionGroups.map(({ title, sections }) => (
        <div key={title} class="office-group">
          {title === '' ? null : <span class="office-group-title">{title}</span>}
          {sections.map((section) => (
            <SectionLink key={section.href} section={section} />
          ))}
        </div>
      ))}
    </nav>
  );
}

/** The index of the back office beside its pages; above them on narrow screens. DEC-WEB-41. */
export const OfficeFrame = ({ children }: { readonly children: ComponentChildren }) => (
  <div class="office-frame">
    <Index />
    <select
      class="office-choice"
      aria-label="Page of the back office"
      value={sectionGroups.flatMap(({ sections }) => sections).find(isCurrent)?.href ?? ''}
      onChange={(event) => goTo(event.currentTarget.value)}
    >
      {sectionGroups.flatMap(({ sections }) =>
        sections.map((section) => (
          <option key={section.href} value={section.href}>
            {section.title}
          </option>
        )),
      )}
    </select>
    <div class="office-content">{children}</div>
  </div>
);
