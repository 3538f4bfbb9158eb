import { parser } from '@prometheus-io/lezer-promql';

/** The parser's view of a part of a query. */
type SyntaxNode = ReturnType<ReturnType<typeof parser.parse>['resolve']>;

/** A metric that a query asks for. */
export interface AskedMetric {
  readonly name: string;
  /** Labels that select its series, or that an aggregation around it keeps. */
  readonly labels: ReadonlySet<string>;
}

/** Labels that Prometheus itself gives every series. */
const ownLabels: ReadonlySet<string> = new Set(['instance', 'job']);

function childrenOf(node: SyntaxNode, ...path: readonly string[]): readonly SyntaxNode[] {
  const [name, ...rest] = path;
  return name === undefined ? [node] : node.getChildren(name).flatMap((child) => childrenOf(child, ...rest));
}

/** Labels of the `by (…)` of every aggregation that a node stands in. */
function groupedBy(node: SyntaxNode, text: (part: SyntaxNode) => string): readonly string[] {
  const labels: string[] = [];
  for (let above: SyntaxNode | null = node.parent; above !== null; above = above.parent)
    labels.push(...childrenOf(above, 'AggregateModifier', 'GroupingLabels', 'LabelName').map(text));
  return labels;
}

/**
 * The metrics that a query in PromQL asks for.
 * @throws Error where the query is none
 */
export function metricsIn(query: string): readonly AskedMetric[] {
  const text = ({ from, to }: { readonly from: number; readonly to: number }): string => query.slice(from, to);
  const asked: AskedMetric[] = [];
  parser.parse(query).iterate({
    enter: ({ type, node, from, to }) => {
      if (type.isError) throw new Error(`no PromQL at ${from}: ${query}`);
      if (type.name !== 'VectorSelector') return;
      const [name] = childrenOf(node, 'Identifier');
      if (name === undefined) throw new Error(`a selector without a metric: ${query.slice(from, to)}`);
      const selected = childrenOf(node, 'LabelMatchers', 'UnquotedLabelMatcher', 'LabelName').map(text);
      const labels = [...selected, ...groupedBy(node, text)].filter((label) => !ownLabels.has(label));
      asked.push({ name: text(name), labels: new Set(labels) });
    },
  });
  return asked;
}
