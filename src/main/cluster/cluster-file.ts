import { z } from 'zod';
import { ConfigurationRefused } from '#main/configuration/config.ts';
import { parseCommentedJson } from '#operator-commands/commented-json.ts';

/*
 * The cluster file of one node: which cluster it belongs to, where the quorum is, and who it is there. DEC-CLU-01.
 */

const name = z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must be 1 to 32 of a-z, 0-9 and "-"');
const path = z.string().min(1, 'must not be empty');
const endpoint = z
  .string()
  .regex(
    /^https?:\/\/[A-Za-z0-9.:[\]-]{1,255}$/,
    'must be the address of an etcd member, such as http://10.0.0.1:2379',
  );

const schema = z.strictObject({
  exchange: name,
  node: name,
  etcd: z.strictObject({
    endpoints: z.array(endpoint).min(1, 'must name at least one member').max(16),
    caFile: path.nullable().default(null),
    certificateFile: path.nullable().default(null),
    keyFile: path.nullable().default(null),
    user: z.string().min(1).nullable().default(null),
    passwordFile: path.nullable().default(null),
  }),
  link: z
    .strictObject({
      host: z.string().min(1).default('127.0.0.1'),
      port: z.int().min(0).max(65_535).default(0),
      address: z
        .string()
        .regex(/^[A-Za-z0-9.:[\]-]{1,255}:\d{1,5}$/, 'must be a host and a port, such as 10.0.0.1:9000')
        .nullable()
        .default(null),
    })
    .default({ host: '127.0.0.1', port: 0, address: null }),
  leaseSeconds: z.int().min(1, 'must be from 1 to 60').max(60, 'must be from 1 to 60').default(2),
  mayLead: z.boolean().default(true),
});

/** What a node knows of its cluster from its file. */
export type ClusterFile = z.output<typeof schema>;

/** Reads a cluster file: JSON, with comments if wanted. @throws ConfigurationRefused with every fault */
export function readClusterFile(file: string, readFile: (path: string) => string): ClusterFile {
  let content: unknown;
  try {
    content = parseCommentedJson(readFile(file));
  } catch (error) {
    throw new ConfigurationRefused([`cluster file ${file}: ${(error as Error).message}`]);
  }
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new ConfigurationRefused(
    parsed.error.issues.map(
      ({ path: at, message }) => `cluster file ${file}: ${at.join('.') || 'the file'}: ${message}`,
    ),
  );
}
