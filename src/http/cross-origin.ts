/** Which answers pages of other origins may read. DEC-REQ-49. */
export interface CrossOrigin {
  /** Headers of an answer to a page of this origin, names and values in turn. */
  answerHeaders(origin: string, isSigned: boolean): readonly string[];
  /** Headers of the answer to a browser that asks before it sends; `methods`: those that the path knows. */
  preflightHeaders(origin: string | undefined, isSigned: boolean, methods: readonly string[]): readonly string[];
}

/** What pages of other origins may do. */
export interface CrossOriginRules {
  /** Origins whose pages may read everything; where there are any, pages of others read nothing. */
  readonly allowedOrigins: readonly string[];
  /** Whether pages of this machine may read everything too. */
  readonly allowsLoopback: boolean;
  /** Headers that a page may send, beside those that every page may. */
  readonly requestHeaders: readonly string[];
  /** Headers of answers that a page may read, beside those that every page may. */
  readonly exposedHeaders: readonly string[];
}

const loopbackOrigin = /^https?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** For how long a browser need not ask again. */
const preflightSeconds = 600;

/**
 * Public answers may be read by any origin unless origins are configured; signed ones by configured origins only, and
 * by those of this machine where that is allowed: a page that a user merely looks at must not learn what a local client
 * may.
 */
export function createCrossOrigin(rules: CrossOriginRules): CrossOrigin {
  const configured = new Set(rules.allowedOrigins.map((origin) => origin.toLowerCase()));
  const isOpen = configured.size === 0;
  const requestHeaders = rules.requestHeaders.join(', ');
  const exposedHeaders = rules.exposedHeaders.join(', ');

  const permission = (origin: string, isSigned: boolean): readonly string[] => {
    if (isOpen && !isSigned) return ['access-control-allow-origin', '*'];
    const isAllowed = configured.has(origin.toLowerCase()) || (rules.allowsLoopback && loopbackOrigin.test(origin));
    // Caches must not hand one origin's answer to another.
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
