import type { GatewaySettings } from '#gateway/gateway-context.ts';

/** Which answers pages of other origins may read. DEC-REQ-49. */
export interface CrossOrigin {
  /** Headers of an answer to a page of this origin, names and values in turn. */
  answerHeaders(origin: string, isSigned: boolean): readonly string[];
  /** Headers of the answer to a browser that asks before it sends; `methods`: those that the path knows. */
  preflightHeaders(origin: string | undefined, isSigned: boolean, methods: readonly string[]): readonly string[];
}

const loopbackOrigin = /^https?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** What a page may read beside the headers that every page may. */
const exposedHeaders = 'Retry-After, X-SVC-USED-WEIGHT, X-Bourse-Signed-Text';

/** For how long a browser need not ask again. */
const preflightSeconds = 600;

/**
 * Public endpoints answer any origin unless origins are configured; signed ones only configured origins, in the sandbox
 * also those of this machine: a page that a user merely looks at must not learn what a local client may.
 */
export function createCrossOrigin(
  settings: Pick<GatewaySettings, 'profile' | 'allowedOrigins' | 'keyHeader' | 'keyHeaderAliases'>,
): CrossOrigin {
  const configured = new Set(settings.allowedOrigins.map((origin) => origin.toLowerCase()));
  const isOpen = configured.size === 0;
  const isSandbox = settings.profile === 'sandbox';
  const requestHeaders = ['Content-Type', settings.keyHeader, ...settings.keyHeaderAliases].join(', ');

  const permission = (origin: string, isSigned: boolean): readonly string[] => {
    if (isOpen && !isSigned) return ['access-control-allow-origin', '*'];
    const isAllowed = configured.has(origin.toLowerCase()) || (isSandbox && loopbackOrigin.test(origin));
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
