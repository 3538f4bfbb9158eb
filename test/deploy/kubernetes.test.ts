import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { readClusterFile } from '#main/cluster/cluster-file.ts';
import { loadConfiguration } from '#main/configuration/config.ts';
import { defaultOf, settingNames, variableOf } from '#main/configuration-schema.ts';
import { projectFolder, settingsOf, textOf } from './deploy-files.ts';

const names = z.array(z.string());
const security = z.strictObject({
  allowPrivilegeEscalation: z.literal(false),
  readOnlyRootFilesystem: z.literal(true),
  capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
});
const probe = z.looseObject({ httpGet: z.strictObject({ path: z.string(), port: z.string() }).optional() });
const container = z.looseObject({
  name: z.string(),
  image: z.string().regex(/:[\w.-]+$/),
  command: names.optional(),
  env: z.array(z.looseObject({ name: z.string(), value: z.string().optional() })).default([]),
  ports: z.array(z.strictObject({ name: z.string(), containerPort: z.int() })).default([]),
  readinessProbe: probe.optional(),
  livenessProbe: probe.optional(),
  startupProbe: probe.optional(),
  securityContext: security,
  volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string() })).default([]),
});
const pod = z.looseObject({
  automountServiceAccountToken: z.literal(false),
  terminationGracePeriodSeconds: z.int().optional(),
  securityContext: z.looseObject({
    runAsNonRoot: z.literal(true),
    runAsUser: z.int().min(1),
    seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
  }),
  affinity: z.looseObject({ podAntiAffinity: z.unknown() }).optional(),
  initContainers: z.array(container).default([]),
  containers: z.tuple([container]),
  volumes: z.array(z.looseObject({ name: z.string() })),
});
const workload = z.looseObject({
  spec: z.looseObject({
    replicas: z.int().optional(),
    serviceName: z.string().optional(),
    template: z.strictObject({
      metadata: z.strictObject({ labels: z.strictObject({ app: z.string() }) }),
      spec: pod,
    }),
    volumeClaimTemplates: z.array(z.looseObject({ metadata: z.strictObject({ name: z.string() }) })).default([]),
  }),
});
const object = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.unknown().optional(),
  data: z.record(z.string(), z.string()).optional(),
});

const files = ['etcd', 'bourse', 'haproxy', 'network', 'begin'];
const objects = files.flatMap((file) =>
  parseAllDocuments(textOf(`deploy/kubernetes/${file}.yaml`), { merge: true, strict: true, uniqueKeys: true }).map(
    (document) => {
      expect([file, document.errors]).toEqual([file, []]);
      return object.parse(document.toJS());
    },
  ),
);
const one = (kind: string, name: string) => {
  const found = objects.filter((each) => each.kind === kind && each.metadata.name === name);
  expect([kind, name, found.length]).toEqual([kind, name, 1]);
  return found[0]!;
};
const workloads = objects.filter(({ kind }) => ['StatefulSet', 'Deployment', 'Job'].includes(kind));
const specOf = (kind: string, name: string) => workload.parse(one(kind, name)).spec;
const podOf = (kind: string, name: string) => specOf(kind, name).template.spec;
const variablesOf = ({ env }: z.output<typeof container>): Readonly<Record<string, string>> =>
  Object.fromEntries(env.map(({ name, value = '' }) => [name, value]));

const etcd = podOf('StatefulSet', 'etcd').containers[0];
const bourse = podOf('StatefulSet', 'bourse');
const [node] = bourse.containers;
const cluster = one('ConfigMap', 'bourse').data!['cluster.json']!;
const clusterFile = readClusterFile('cluster.json', () => cluster.replaceAll('POD', 'bourse-0'));

describe('the manifests for Kubernetes', () => {
  test.each(workloads.map((each) => [`${each.kind} ${each.metadata.name}`, each] as const))(
    '%s runs without rights, and mounts what it has',
    (_, each) => {
      const { template, volumeClaimTemplates } = workload.parse(each).spec;
      const { containers, initContainers, volumes } = template.spec;
      const known = [...volumes.map(({ name }) => name), ...volumeClaimTemplates.map(({ metadata }) => metadata.name)];
      for (const { volumeMounts, image } of [...containers, ...initContainers]) {
        for (const { name } of volumeMounts) expect(known).toContain(name);
        expect(image.endsWith(':latest')).toBe(false);
      }
    },
  );

  test('members and nodes are three each, on machines of their own, and one at a time goes away', () => {
    for (const name of ['etcd', 'bourse']) {
      const { replicas, serviceName, template } = specOf('StatefulSet', name);
      expect([name, replicas, serviceName]).toEqual([name, 3, name]);
      expect(template.spec.affinity!.podAntiAffinity).toEqual({
        requiredDuringSchedulingIgnoredDuringExecution: [
          { labelSelector: { matchLabels: template.metadata.labels }, topologyKey: 'kubernetes.io/hostname' },
        ],
      });
      expect(one('PodDisruptionBudget', name).spec).toEqual({
        maxUnavailable: 1,
        selector: { matchLabels: template.metadata.labels },
      });
      expect(one('Service', name).spec).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: true });
    }
  });

  test('the settings of a node are a configuration that production takes', () => {
    const all = variablesOf(node);
    const variables = new Set(settingNames.map(variableOf));
    const others = Object.keys(all).filter((name) => !variables.has(name));
    expect(others).toEqual(['POD_ADDRESS', 'BOURSE_OPERATOR_URL', 'CREDENTIALS_DIRECTORY']);
    const environment = Object.fromEntries(
      Object.entries(all).map(([name, value]) => [name, value.replace('$(POD_ADDRESS)', '10.1.2.3')]),
    );
    const { config, warnings } = loadConfiguration({
      ...{ flags: new Map(), environment, file: null, isForServer: true, readFile: () => '' },
    });
    expect([config.profile, warnings, config.host]).toEqual(['production', [], '10.1.2.3']);
    expect(bourse.terminationGracePeriodSeconds).toBeGreaterThan(Number(defaultOf('shutdownSeconds', 'production')));
    expect(node.readinessProbe!.httpGet).toEqual({ path: '/readyz', port: 'operator' });
    for (const probed of [node.livenessProbe, node.startupProbe])
      expect(probed!.httpGet).toEqual({ path: '/healthz', port: 'operator' });
    // What a cluster begins with is opened with the same key.
    const begin = variablesOf(podOf('Job', 'begin').containers[0]);
    for (const name of ['BOURSE_PROFILE', 'BOURSE_MASTER_KEY_FILE', 'CREDENTIALS_DIRECTORY'])
      expect([name, begin[name]]).toEqual([name, all[name]]);
    const secrets = node.volumeMounts.find(({ name }) => name === 'secrets')!.mountPath;
    expect(all['CREDENTIALS_DIRECTORY']).toBe(secrets);
    const { caFile, certificateFile, keyFile, passwordFile } = clusterFile.etcd;
    for (const path of [caFile, certificateFile, keyFile, passwordFile, all['BOURSE_MASTER_KEY_FILE']])
      expect(path!.startsWith(`${secrets}/`)).toBe(true);
  });

  test('nodes find etcd, each other and their names', () => {
    const members = [0, 1, 2].map((ordinal) => `etcd-${ordinal}`);
    const variables = variablesOf(etcd);
    expect(clusterFile.etcd.endpoints).toEqual(members.map((name) => `https://${name}.etcd:2379`));
    expect(variables['ETCD_INITIAL_CLUSTER']).toBe(members.map((name) => `${name}=https://${name}.etcd:2380`).join());
    expect(clusterFile.link.address).toBe(`bourse-0.bourse:${clusterFile.link.port}`);
    expect(node.ports.find(({ name }) => name === 'link')!.containerPort).toBe(clusterFile.link.port);
    const balancer = variablesOf(podOf('Deployment', 'haproxy').containers[0]);
    expect([balancer['NODE_ONE'], balancer['NODE_TWO'], balancer['NODE_THREE']]).toEqual(
      [0, 1, 2].map((ordinal) => `bourse-${ordinal}.bourse:${variablesOf(node)['BOURSE_PORT']}`),
    );
    const common = Object.keys(settingsOf('deploy/etcd/common.env'));
    expect(Object.keys(variables).filter((name) => common.includes(name))).toEqual([]);
  });

  test('are all applied, but for the beginning', () => {
    const listed = [...textOf('deploy/kubernetes/kustomization.yaml').matchAll(/^ {2}- (\S+)\.yaml$/gm)];
    expect(listed.map(([, name]) => name).sort()).toEqual(files.filter((name) => name !== 'begin').sort());
    for (const [, name] of listed)
      expect(existsSync(new URL(`deploy/kubernetes/${name}.yaml`, projectFolder))).toBe(true);
  });
});

const rule = z.strictObject({
  from: z
    .array(z.strictObject({ podSelector: z.unknown().optional(), namespaceSelector: z.unknown().optional() }))
    .optional(),
  ports: z.array(z.strictObject({ port: z.int() })),
});
const policy = z.strictObject({
  podSelector: z.strictObject({ matchLabels: z.strictObject({ app: z.string() }) }),
  policyTypes: z.tuple([z.literal('Ingress')]),
  ingress: z.array(rule),
});

describe('DEC-CLU-25: who reaches which port in Kubernetes', () => {
  const monitoring = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } };
  const pods = (app: string) => ({ podSelector: { matchLabels: { app } } });
  /** Who may call each port of an application. */
  const callersOf = (app: string) => {
    const { podSelector, ingress } = policy.parse(one('NetworkPolicy', app).spec);
    expect(podSelector.matchLabels.app).toBe(app);
    return Object.fromEntries(ingress.flatMap(({ from, ports }) => ports.map(({ port }) => [port, from ?? 'all'])));
  };

  test('etcd is for nodes and members, links are for nodes, operator ports for nobody but what reads metrics', () => {
    const nodes = {
      podSelector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['bourse', 'begin', 'etcd'] }] },
    };
    expect(callersOf('etcd')).toEqual({ 2379: [nodes], 2380: [pods('etcd')], 2381: [monitoring] });
    expect(callersOf('bourse')).toEqual({ 8080: [pods('haproxy')], 9000: [pods('bourse')], 8081: [monitoring] });
    const balancer = podOf('Deployment', 'haproxy').containers[0];
    expect(callersOf('haproxy')).toEqual(
      Object.fromEntries(balancer.ports.map(({ containerPort }) => [containerPort, 'all'])),
    );
  });
});
