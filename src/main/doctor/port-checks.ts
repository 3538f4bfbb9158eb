import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { z } from 'zod';
import { hostInUrl, type PortAddress, type Ports, PortUnavailable, requirePort } from '#main/composition/ports.ts';
import { type Finding, ok, toldFault } from '#main/doctor/finding.ts';

const askMs = 2000;

/** Whether the exchange can listen, or listens already. */
export async function checkPorts(ports: Ports): Promise<readonly Finding[]> {
  const named = Object.entries(ports) as [string, PortAddress | null][];
  const findings = named.map(([name, address]) => (address === null ? null : checkPort(`${name} port`, address)));
  return (await Promise.all(findings)).filter((finding) => finding !== null);
}

async function checkPort(check: string, address: PortAddress): Promise<Finding> {
  const { host, port } = address;
  if (port === 0) return ok(check, 'any free one');
  try {
    await requirePort(address);
    return ok(check, `${port} of ${host} is free`);
  } catch (error) {
    if (!(error instanceof PortUnavailable)) throw error;
    const exchange = await versionAt(address);
    if (exchange !== null) return ok(check, `${exchange} listens on ${port} of ${host}`);
    const { found, toDo, ...rest } = toldFault(check, error.faults[0]!, 'choose another port');
    return { ...rest, found: `${found}${holderOf(port)}`, toDo };
  }
}

const versionPage = z.object({ name: z.literal('bourse'), version: z.string() });

/** The exchange that answers there; `null`: none does. */
async function versionAt({ host, port }: PortAddress): Promise<string | null> {
  try {
    const response = await fetch(`http://${hostInUrl(host)}:${port}/version`, { signal: AbortSignal.timeout(askMs) });
    const { version } = versionPage.parse(await response.json());
    return `bourse ${version}`;
  } catch {
    return null;
  }
}

const listeningState = '0A';

/** The process that listens on a port, with a comma before it; empty: this user may not know. */
function holderOf(port: number): string {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const inodes = new Set(
    ['tcp', 'tcp6'].flatMap((name) =>
      linesOf(`/proc/net/${name}`).flatMap((line) => {
        const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
        return local.endsWith(`:${hex}`) && state === listeningState ? [`socket:[${inode}]`] : [];
      }),
    ),
  );
  const pid =
    inodes.size === 0 ? undefined : entriesOf('/proc').find((each) => /^\d+$/.test(each) && holds(each, inodes));
  if (pid === undefined) return '';
  const command = linesOf(`/proc/${pid}/cmdline`).join(' ').replaceAll('\0', ' ').trim();
  return `, ${pid} (${command.slice(0, 80)})`;
}

const holds = (pid: string, inodes: ReadonlySet<string>): boolean =>
  entriesOf(`/proc/${pid}/fd`).some((name) => {
    try {
      return inodes.has(readlinkSync(`/proc/${pid}/fd/${name}`));
    } catch {
      return false;
    }
  });

/** Lines of a file of the kernel; none where it cannot be read. */
function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch {
    return [];
  }
}

function entriesOf(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
