const slash = 0x2f;
const schemeAndAuthority = /^https?:\/\/[^/?#]+/i;

/**
 * Removes scheme and host from an absolute request target (`GET http://host/path`), which servers must accept by RFC
 * 9112, section 3.2.2. Other targets are returned unchanged. DEC-REQ-48.
 */
export function originForm(target: string): string {
  if (target.charCodeAt(0) === slash) return target;
  const start = schemeAndAuthority.exec(target)?.[0].length ?? 0;
  if (start === 0) return target;
  const rest = target.slice(start);
  return rest.startsWith('/') ? rest : `/${rest}`;
}
