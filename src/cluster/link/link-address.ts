/** Host and port of `host:port` or `[host]:port`; `null`: it is neither. */
export function placeOf(address: string): { host: string; port: number } | null {
  const [, host, port] = /^\[?([^\]]+)\]?:([0-9]{1,5})$/.exec(address) ?? [];
  if (host === undefined || port === undefined || Number(port) < 1 || Number(port) > 65_535) return null;
  return { host, port: Number(port) };
}
