import type { ComponentChildren } from 'preact';
import { Empty } from '#web/design/states.tsx';
import { OfficePage } from '#web/office/parts/office-page.tsx';
import { useOperation } from '#web/office/parts/use-operation.ts';

interface MarketControlPageProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

function WithTraders({ children }: Pick<MarketControlPageProps, 'children'>) {
  return useOperation('getMarket') === undefined ? (
    <Empty text="This sandbox has no simulated traders: it was started with --no-simulate." />
  ) : (
    children
  );
}

/** A page of the sandbox window that needs simulated traders; where there are none, it says so. DEC-WEB-62. */
export const MarketControlPage = ({ title, children }: MarketControlPageProps) => (
  <OfficePage title={title} scope="market:control">
    <WithTraders>{children}</WithTraders>
  </OfficePage>
);
