import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readClusterFile } from '#main/cluster/cluster-file.ts';
import { loadConfiguration } from '#main/configuration/config.ts';
import { defaultOf, settingNames, variableOf } from '#main/configuration-schema.ts';
import { clusterCompose, compose, type ComposeProgram, networksOf } from './compose-file.ts';
import { projectFolder, settingsOf, textOf } from './deploy-files.ts';

const { services, borrowed, networks, volumes, secrets } = clusterCompose();
const names = ['one', 'two', 'three'];
const nodes = names.map((name) => services[`node-${name}`]!);
const members = names.map((name) => services[`etcd-${name}`]!);
const balancer = services['haproxy']!;
const at = (path: string): boolean => existsSync(new URL(`deploy/cluster/${path}`, projectFolder));
const addressIn = (service: ComposeProgram, network: string): string | undefined =>
  Array.isArray(service.networks) ? undefined : service.networks[network]?.ipv4_address;
const clusterFileOf = (name: string) => readClusterFile(`deploy/cluster/${name}.json`, textOf);

describe('the Compose file of a cluster', () => {
  test('names only what is declared, and mounts only what is there', () => {
    for (const [name, service] of [...Object.entries(services), ...Object.entries(borrowed)]) {
      if ('networks' in service)
        for (const network of networksOf(service))
          expect([name, network]).toEqual([name, expect.toBeOneOf(Object.keys(networks))]);
      if ('secrets' in service) for (const secret of service.secrets ?? []) expect(secrets).toHaveProperty(secret);
      if ('env_file' in service)
        for (const file of service.env_file ?? []) expect([file, at(file)]).toEqual([file, true]);
      for (const volume of service.volumes ?? []) {
        const [source] = volume.split(':') as [string];
        if (source.startsWith('.')) expect([source, at(source)]).toEqual([source, true]);
        else expect(volumes).toHaveProperty(source);
      }
    }
    const others = compose();
    for (const [name, { extends: from }] of Object.entries(borrowed)) {
      const service = others.services[from.service]!;
      expect([name, from.file]).toEqual([name, '../compose.yaml']);
      for (const network of networksOf(service)) expect(networks).toHaveProperty(network);
      for (const secret of service.secrets ?? []) expect(secrets).toHaveProperty(secret);
      for (const volume of service.volumes ?? [])
        if (!volume.startsWith('.')) expect(volumes).toHaveProperty(volume.split(':')[0]!);
    }
  });

  test('gives no service a right that it does not need', () => {
    for (const [name, { cap_drop, cap_add, security_opt, image, read_only }] of Object.entries(services)) {
      expect([name, cap_drop, cap_add, security_opt]).toEqual([name, ['ALL'], undefined, ['no-new-privileges:true']]);
      expect([name, read_only, image.endsWith(':latest')]).toEqual([name, true, false]);
    }
  });

  test('the settings of each node are a configuration that production takes, and lets it finish', () => {
    const variables = new Set(settingNames.map(variableOf));
    for (const node of nodes) {
      const environment = node.environment!;
      expect(Object.keys(environment).filter((name) => !variables.has(name))).toEqual(['BOURSE_OPERATOR_URL']);
      const { config, warnings } = loadConfiguration({
        ...{ flags: new Map(), environment, file: null, isForServer: true, readFile: () => '' },
      });
      expect([config.profile, warnings]).toEqual(['production', []]);
      expect(environment['BOURSE_OPERATOR_URL']).toBe(`http://${config.operatorHost}:${config.operatorPort}`);
      expect(config.host).toBe(addressIn(node, 'edge'));
      expect(config.operatorHost).toBe(addressIn(node, 'inside'));
      expect(node.volumes!.map((volume) => volume.split(':')[1])).toContain(config.cluster);
      expect(Number.parseInt(node.stop_grace_period!, 10)).toBeGreaterThan(
        Number(defaultOf('shutdownSeconds', 'production')),
      );
    }
  });

  test('the cluster file of each node names itself, all members, and its own first', () => {
    names.forEach((name, index) => {
      const { exchange, node, etcd, link } = clusterFileOf(name);
      expect([exchange, node]).toEqual([clusterFileOf('one').exchange, name]);
      expect([...etcd.endpoints].sort()).toEqual(names.map((each) => `http://etcd-${each}:2379`).sort());
      expect(etcd.endpoints[0]).toBe(members[index]!.environment!['ETCD_ADVERTISE_CLIENT_URLS']);
      expect(link.host).toBe(addressIn(nodes[index]!, 'quorum'));
      expect(nodes[index]!.volumes).toContain(`./${name}.json:/etc/bourse/cluster.json:ro`);
      // Above, the system may have lent a port to somebody else.
      expect(link.port).toBeLessThan(32_768);
    });
  });

  test('members of etcd know each other, and have the settings that all have', () => {
    const cluster = names.map((name) => `${name}=http://etcd-${name}:2380`).join(',');
    names.forEach((name, index) => {
      const { environment, env_file } = members[index]!;
      expect(env_file).toEqual(['../etcd/common.env']);
      expect(environment).toMatchObject({ ETCD_NAME: name, ETCD_INITIAL_CLUSTER: cluster });
      expect(environment!['ETCD_INITIAL_ADVERTISE_PEER_URLS']).toBe(`http://etcd-${name}:2380`);
    });
  });

  test('the balancer leads to the public port of each node, and is the one whose word on addresses counts', () => {
    const ports = nodes.map((node) => `${addressIn(node, 'edge')}:${node.environment!['BOURSE_PORT']}`);
    const { NODE_ONE, NODE_TWO, NODE_THREE, CERTIFICATE } = balancer.environment!;
    expect([NODE_ONE, NODE_TWO, NODE_THREE]).toEqual(ports);
    expect(CERTIFICATE).toBe(`/run/secrets/${balancer.secrets![0]}`);
    for (const node of nodes) expect(node.environment!['BOURSE_TRUSTED_PROXIES']).toBe(addressIn(balancer, 'edge'));
    expect(networksOf(balancer)).toEqual(['edge']);
  });
});

describe('DEC-CLU-25: what of a cluster is private', () => {
  test('etcd, links and operator ports stand on networks that reach no other, and the balancer alone is published', () => {
    for (const name of ['quorum', 'inside']) expect([name, networks[name]?.internal]).toEqual([name, true]);
    for (const member of members) expect(networksOf(member)).toEqual(['quorum']);
    for (const [name, { ports = [] }] of Object.entries(services))
      expect([name, ports]).toEqual([name, name === 'haproxy' ? ['80:80', '443:443'] : []]);
    const { quota } = { quota: Number(settingsOf('deploy/etcd/common.env')['ETCD_QUOTA_BACKEND_BYTES']) };
    // The log keeps at most 512 MiB; etcd's file has what was deleted too.
    expect(quota).toBeGreaterThanOrEqual(4 * (512 << 20));
  });
});
