import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { loadConfiguration } from '#main/configuration/config.ts';
import { defaultOf, settingNames, variableOf } from '#main/configuration-schema.ts';
import { compose, type ComposeProgram, networksOf } from './compose-file.ts';
import { dashboard, projectFolder, textOf, yamlOf } from './deploy-files.ts';

const { services, networks, volumes, secrets } = compose();
const named = (name: string): ComposeProgram => services[name]!;
const bourse = named('bourse');
const environment = bourse.environment!;
const addressIn = (service: ComposeProgram, network: string): string | undefined =>
  Array.isArray(service.networks) ? undefined : service.networks[network]?.ipv4_address;

describe('the Compose file', () => {
  test('names only what is declared, and mounts only what is there', () => {
    for (const [name, service] of Object.entries(services)) {
      for (const network of networksOf(service))
        expect([name, network]).toEqual([name, expect.toBeOneOf(Object.keys(networks))]);
      for (const secret of service.secrets ?? []) expect(secrets).toHaveProperty(secret);
      for (const volume of service.volumes ?? []) {
        const [source] = volume.split(':') as [string];
        if (source.startsWith('./'))
          expect([source, existsSync(new URL(`deploy/${source}`, projectFolder))]).toEqual([source, true]);
        else expect(volumes).toHaveProperty(source);
      }
    }
    const { context, dockerfile } = bourse.build!;
    expect(existsSync(new URL(`deploy/${context}/${dockerfile}`, projectFolder))).toBe(true);
  });

  test('gives no service a right that it does not need', () => {
    for (const [name, { cap_drop, cap_add = [], security_opt, image }] of Object.entries(services)) {
      expect([name, cap_drop, security_opt]).toEqual([name, ['ALL'], ['no-new-privileges:true']]);
      expect([name, cap_add]).toEqual([name, name === 'caddy' ? ['NET_BIND_SERVICE'] : []]);
      expect([name, image.endsWith(':latest')]).toEqual([name, false]);
    }
    expect(bourse.read_only).toBe(true);
  });

  test('lets the exchange finish what is in flight', () => {
    expect(Number.parseInt(bourse.stop_grace_period!, 10)).toBeGreaterThan(
      Number(defaultOf('shutdownSeconds', 'production')),
    );
  });

  test('its settings are a configuration that production takes', () => {
    const variables = new Set(settingNames.map(variableOf));
    const unknown = Object.keys(environment).filter((name) => !variables.has(name));
    // Of `bourse op`, which reads its own.
    expect(unknown).toEqual(['BOURSE_OPERATOR_URL']);
    const { config, warnings } = loadConfiguration({
      flags: new Map(),
      environment,
      file: null,
      isForServer: true,
      readFile: () => '',
    });
    expect(config.profile).toBe('production');
    expect(warnings).toEqual([]);
    expect(environment['BOURSE_OPERATOR_URL']).toBe(`http://${config.operatorHost}:${config.operatorPort}`);
    for (const path of [config.masterKeyFile, config.operatorTokenFile])
      expect(bourse.secrets!.map((name) => `/run/secrets/${name}`)).toContain(path);
  });
});

describe('DEC-OPR-01: who reaches which port of it', () => {
  test('the operator port stands on an internal network alone, and no port of the exchange is published', () => {
    expect(networks['inside']?.internal).toBe(true);
    expect(environment['BOURSE_OPERATOR_HOST']).toBe(addressIn(bourse, 'inside'));
    expect(environment['BOURSE_HOST']).toBe(addressIn(bourse, 'edge'));
    expect(bourse.ports).toBeUndefined();
    expect(networksOf(named('caddy'))).toEqual(['edge']);
  });

  test('the proxy is the only one whose word on client addresses counts', () => {
    const proxy = addressIn(named('caddy'), 'edge');
    expect(environment['BOURSE_TRUSTED_PROXIES']).toBe(proxy);
    expect(named('caddy').environment?.['BOURSE_UPSTREAM']).toBe(
      `${addressIn(bourse, 'edge')}:${environment['BOURSE_PORT']}`,
    );
  });

  test('dashboards are for this machine alone', () => {
    for (const [name, { ports = [] }] of Object.entries(services)) {
      const isPublic = ports.some((port) => !port.startsWith('127.0.0.1:'));
      expect([name, isPublic]).toEqual([name, name === 'caddy']);
    }
  });
});

const target = z.strictObject({ targets: z.array(z.string()) });
const prometheusFile = z.strictObject({
  global: z.strictObject({ scrape_interval: z.string(), evaluation_interval: z.string() }),
  rule_files: z.array(z.string()),
  alerting: z.strictObject({ alertmanagers: z.array(z.strictObject({ static_configs: z.array(target) })) }),
  scrape_configs: z.array(z.strictObject({ job_name: z.string(), static_configs: z.array(target) })),
});
const alertmanagerFile = z.strictObject({
  route: z.looseObject({ receiver: z.string(), routes: z.array(z.looseObject({ receiver: z.string() })) }),
  inhibit_rules: z.array(
    z.strictObject({ source_matchers: z.array(z.string()), target_matchers: z.array(z.string()) }),
  ),
  receivers: z.array(z.strictObject({ name: z.string() })),
});

describe('what watches it', () => {
  test('Prometheus scrapes the operator port as the job that alerts name, and has rules that are there', () => {
    const { scrape_configs, rule_files, alerting } = yamlOf('deploy/prometheus/prometheus.yml', prometheusFile);
    const [job] = scrape_configs;
    expect(job).toEqual({
      job_name: 'bourse',
      static_configs: [{ targets: [`bourse:${environment['BOURSE_OPERATOR_PORT']}`] }],
    });
    for (const path of rule_files) expect(existsSync(new URL(`deploy/prometheus/${path}`, projectFolder))).toBe(true);
    expect(alerting.alertmanagers[0]!.static_configs[0]!.targets[0]!.split(':')[0]).toBeOneOf(Object.keys(services));
    expect(networksOf(named('prometheus'))).toEqual(['inside']);
  });

  test('Alertmanager sends to receivers that it has', () => {
    const { route, receivers } = yamlOf('deploy/alertmanager/alertmanager.yml', alertmanagerFile);
    const known = receivers.map(({ name }) => name);
    for (const { receiver } of [route, ...route.routes]) expect(known).toContain(receiver);
  });

  test('Grafana is given the dashboard and the source that it reads', () => {
    const [source] = (
      parse(textOf('deploy/grafana/provisioning/datasources/prometheus.yaml')) as { datasources: { url: string }[] }
    ).datasources;
    expect(new URL(source!.url).hostname).toBeOneOf(Object.keys(services));
    const [provider] = (
      parse(textOf('deploy/grafana/provisioning/dashboards/bourse.yaml')) as {
        providers: { options: { path: string } }[];
      }
    ).providers;
    const mounted = named('grafana').volumes!.find((volume) => volume.split(':')[1] === provider!.options.path);
    expect(mounted).toBe(`./grafana/dashboards:${provider!.options.path}:ro`);
    const home = named('grafana').environment!['GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH']!;
    expect(existsSync(new URL(`deploy/grafana/dashboards/${home.split('/').at(-1)}`, projectFolder))).toBe(true);
  });

  test('panels of the dashboard have numbers of their own and do not overlap', () => {
    const { panels } = dashboard();
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = new Set<string>();
    for (const {
      title,
      gridPos: { h, w, x, y },
    } of panels) {
      expect(x + w).toBeLessThanOrEqual(24);
      for (let row = y; row < y + h; row += 1)
        for (let column = x; column < x + w; column += 1) {
          expect(cells.has(`${row}/${column}`), title).toBe(false);
          cells.add(`${row}/${column}`);
        }
    }
  });
});
