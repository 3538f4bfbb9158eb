/** Weight of a media range in an Accept header: 1 unless it has a weight, 0 if that is no number. */
function weightOf(parameters: readonly string[]): number {
  const weight = parameters.map((text) => text.trim().toLowerCase()).find((text) => text.startsWith('q='));
  if (weight === undefined) return 1;
  return Number(weight.slice(2)) || 0;
}

/**
 * Whether the Accept header of a request names `text/html`, with more weight than JSON. Browsers do; programs say
 * `application/json`, any type, or nothing, and are not to be surprised by a page. DEC-REQ-62.
 */
export function prefersHtml(accept: string | undefined): boolean {
  const weights = { 'text/html': 0, 'application/json': 0 };
  for (const range of accept?.split(',') ?? []) {
    const [type = '', ...parameters] = range.split(';');
    const name = type.trim().toLowerCase();
    if (name === 'text/html' || name === 'application/json') {
      weights[name] = Math.max(weights[name], weightOf(parameters));
    }
  }
  return weights['text/html'] > weights['application/json'];
}
