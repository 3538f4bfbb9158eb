import { createServer } from 'node:net';
import { errorCode } from '#journal/file-operations.ts';
import { type Configuration, flagOf, isLoopback, type SettingName } from '#main/configuration-schema.ts';

/** The exchange cannot listen where the settings say; each fault is a sentence that says what to do. DEC-OPR-22. */
export class PortUnavailable extends Error {
  override name = 'PortUnavailable';
  readonly faults: readonly string[];
  constructor(faults: readonly string[], options: ErrorOptions = {}) {
    super(faults.join('\n'), options);
    this.faults = faults;
  }
}

/** Where a server listens, and the settings that say so. */
export interface PortAddress {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly hostSetting: SettingName;
  readonly portSetting: SettingName;
}

/** The ports of a configuration; futures have one only where it is not that of the public API. */
export interface Ports {
  readonly public: PortAddress;
  readonly futures: PortAddress | null;
  readonly operator: PortAddress;
}

/** How the address of a server that listens everywhere, or on IPv6, is written in a URL of this machine. */
export function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  if (isLoopback(host) && host !== '::1') return host;
  return host.includes(':') ? `[${host}]` : host;
}

/** Ports that an exchange with these settings listens on. */
export function portsOf({ host, port, futuresPort, operatorHost, operatorPort }: Configuration): Ports {
  const sharesPort = futuresPort === null || (futuresPort !== 0 && futuresPort === port);
  return {
    public: { host, port, hostSetting: 'host', portSetting: 'port' },
    futures: sharesPort ? null : { host, port: futuresPort, hostSetting: 'host', portSetting: 'futuresPort' },
    operator: { host: operatorHost, port: operatorPort, hostSetting: 'operatorHost', portSetting: 'operatorPort' },
  };
}

/**
 * Listens on every port for a moment: a start that cannot listen later should not make a market's history before.
 * @throws PortUnavailable that names all ports that cannot be had
 */
export async function requirePorts(ports: Ports): Promise<void> {
  const faults: string[] = [];
  for (const address of [ports.public, ports.futures, ports.operator]) {
    if (address === null) continue;
    try {
      await requirePort(address);
    } catch (error) {
      if (!(error instanceof PortUnavailable)) throw error;
      faults.push(...error.faults);
    }
  }
  if (faults.length > 0) throw new PortUnavailable(faults);
}

/** Listens on one port for a moment. @throws PortUnavailable */
export const requirePort = (address: PortAddress): Promise<void> => listening(address, () => listenOnce(address));

/** Answers what `listen` does. @throws PortUnavailable where that says that it cannot listen at `address`. */
export async function listening<Result>(address: PortAddress, listen: () => Promise<Result>): Promise<Result> {
  try {
    return await listen();
  } catch (error) {
    const fault = meanings[errorCode(error) ?? '']?.(address);
    throw fault === undefined ? error : new PortUnavailable([fault], { cause: error });
  }
}

function listenOnce({ host, port }: PortAddress): Promise<void> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => server.close(() => resolve()));
  });
}

const inUse = ({ host, port, portSetting }: PortAddress): string =>
  `port ${port} of ${host} is in use by another process: stop that one, or choose another port with ` +
  `${flagOf(portSetting)} (0 takes any free one)`;
const forbidden = ({ host, port, portSetting }: PortAddress): string =>
  `this user may not listen on port ${port} of ${host}: choose one from 1024 up with ${flagOf(portSetting)}`;
const foreign = ({ host, hostSetting }: PortAddress): string =>
  `${host} is no address of this machine: choose another one with ${flagOf(hostSetting)}, such as 127.0.0.1`;
const unknownName = ({ host, hostSetting }: PortAddress): string =>
  `no address is known for the name ${host}: choose another one with ${flagOf(hostSetting)}, such as 127.0.0.1`;

/** Messages by the system's code. */
const meanings: Readonly<Record<string, (address: PortAddress) => string>> = {
  EADDRINUSE: inUse,
  EACCES: forbidden,
  EADDRNOTAVAIL: foreign,
  EAFNOSUPPORT: foreign,
  EINVAL: foreign,
  ENOTFOUND: unknownName,
  EAI_AGAIN: unknownName,
};
