const slash = 0x2f;
const schemeAndAuthority = /^https?:\/\/[^/?#]+/i;

/**
 * A request's target without scheme and host, as a client writes it that takes the server for a proxy
 * (`GET http://host/path`). RFC 9112, section 3.2.2, demands that a server serves it. Whatever is no such target is
 * answered as it came. DEC-REQ-48.
 */
export function originForm(target: string): string {
  if (target.charCodeAt(0) === slash) return target;
  const start = schemeAndAuthority.exec(target)?.[0].length ?? 0;
  if (start === 0) return target;
  const rest = target.slice(start);
  return rest.startsWith('/') ? rest : `/${rest}`;
}
