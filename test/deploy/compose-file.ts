import { z } from 'zod';
import { yamlOf } from './deploy-files.ts';

const names = z.array(z.string());
const address = z.strictObject({ ipv4_address: z.ipv4() });

/** A service, with the keys of the Compose specification that ours use. */
const service = z.strictObject({
  build: z.strictObject({ context: z.string(), dockerfile: z.string() }).optional(),
  image: z.string(),
  restart: z.enum(['no', 'always', 'on-failure', 'unless-stopped']),
  read_only: z.boolean().optional(),
  cap_drop: names,
  cap_add: names.optional(),
  security_opt: names,
  pids_limit: z.int().optional(),
  stop_grace_period: z
    .string()
    .regex(/^\d+s$/)
    .optional(),
  ulimits: z.record(z.string(), z.int()).optional(),
  // Whatever is no text here, YAML may read as something else than the program does.
  env_file: names.optional(),
  environment: z.record(z.string().regex(/^[A-Z][A-Z0-9_]*$/), z.string()).optional(),
  command: names.optional(),
  secrets: names.optional(),
  ports: z.array(z.string()).optional(),
  volumes: z.array(z.string().regex(/^[^:]+:\/[^:]+(:ro)?$/)).optional(),
  tmpfs: names.optional(),
  networks: z.union([names, z.record(z.string(), address)]),
  logging: z.strictObject({ driver: z.string(), options: z.record(z.string(), z.string()) }),
});

const network = z
  .strictObject({
    internal: z.boolean().optional(),
    ipam: z.strictObject({ config: z.array(z.strictObject({ subnet: z.cidrv4() })) }).optional(),
  })
  .nullable();

const composeFile = z.strictObject({
  name: z.string(),
  services: z.record(z.string(), service),
  networks: z.record(z.string(), network),
  volumes: z.record(z.string(), z.null()),
  secrets: z.record(z.string(), z.strictObject({ file: z.string() })),
});

/** A service that stands in another Compose file, with what is added to it. */
const borrowed = z.strictObject({
  extends: z.strictObject({ file: z.string(), service: z.string() }),
  volumes: names.optional(),
});

/** Of a cluster: members whose names begin with `x-` are parts that services are made of. */
const clusterFile = z.object({
  ...composeFile.shape,
  services: z.record(z.string(), z.union([service, borrowed])),
});

/** A program of the Compose file, which calls it a service. */
export type ComposeProgram = z.output<typeof service>;

/** The Compose file of `deploy`. */
export const compose = () => yamlOf('deploy/compose.yaml', composeFile);

/** The Compose file of a cluster; `borrowed`: its services that stand in the other one. */
export function clusterCompose() {
  const { services, ...rest } = yamlOf('deploy/cluster/compose.yaml', clusterFile);
  const own: [string, ComposeProgram][] = [];
  const others: [string, z.output<typeof borrowed>][] = [];
  for (const [name, each] of Object.entries(services))
    if ('extends' in each) others.push([name, each]);
    else own.push([name, each]);
  return { ...rest, services: Object.fromEntries(own), borrowed: Object.fromEntries(others) };
}

/** Networks of a service. */
export const networksOf = ({ networks }: ComposeProgram): readonly string[] =>
  Array.isArray(networks) ? networks : Object.keys(networks);
