/** CORS: which responses pages of other origins may read. DEC-REQ-49. */
export interface CrossOrigin {
  /** CORS headers of a response to a page of this origin, names and values in turn. */
  answerHeaders(origin: string, isSigned: boolean): readonly string[];
  /** CORS headers of the response to a preflight request; `methods`: those of the path. */
  preflightHeaders(origin: string | undefined, isSigned: boolean, methods: readonly string[]): readonly string[];
}

/** CORS settings. */
export interface CrossOriginRules {
  /** Origins that may read everything. If there are any, other origins may read nothing. */
  readonly allowedOrigins: readonly string[];
  /** Whether loopback origins may read everything too. */
  readonly allowsLoopback: boolean;
  /** Request headers that pages may send, besides those that CORS always allows. */
  readonly requestHeaders: readonly string[];
  /** Response headers that pages may read, besides those that CORS always allows. */
  readonly exposedHeaders: readonly string[];
}

const loopbackOrigin = /^https?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** Seconds for which a browser may cache the preflight response. */
const preflightSeconds = 600;

/**
 * Creates CORS. Any origin may read public responses, unless origins are configured. Signed responses may be read by
 * configured origins only, and by loopback origins if that is allowed: a web page that a user merely visits must not
 * read what a local client may.
 */
export function createCrossOrigin(rules: CrossOriginRules): CrossOrigin {
  const configured = new Set(rules.allowedOrigins.map((origin) => origin.toLowerCase()));
  const isOpen = configured.size === 0;
  const requestHeaders = rules.requestHeaders.join(', ');
  const exposedHeaders = rules.exposedHeaders.join(', ');

  const permission = (origin: string, isSigned: boolean): readonly string[] => {
    if (isOpen && !isSigned) return ['access-control-allow-origin', '*'];
    const isAllowed = configured.has(origin.toLowerCase()) || (rules.allowsLoopback && loopbackOrigin.test(origin));
    // A cache must not serve the response for one origin to another.
    return isAllowed ? ['access-control-allow-origin', origin, 'vary', 'origin'] : ['vary', 'origin'];
  };
  return {
    answerHeaders: (origin, isSigned) => [
      ...permission(origin, isSigned),
      'access-control-expose-headers',
      exposedHeaders,
    ],
    preflightHeaders: (origin, isSigned, methods) => [
      ...(origin === undefined ? [] : permission(origin, isSigned)),
      'allow',
      methods.join(', '),
      'access-control-allow-methods',
      methods.join(', '),
      'access-control-allow-headers',
      requestHeaders,
      'access-control-max-age',
      `${preflightSeconds}`,
    ],
  };
}
