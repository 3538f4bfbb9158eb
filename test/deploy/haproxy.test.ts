import { describe, expect, test } from 'vitest';
import { errors } from '#http/errors.ts';
import { healthPaths } from '#http/health-pages.ts';
import { wireLimits } from '#http/limits.ts';
import { defaultOf } from '#main/configuration-schema.ts';
import { textOf } from './deploy-files.ts';

const text = textOf('deploy/proxies/haproxy.cfg');
const { request, connection, streams } = wireLimits;
/** Sections by their names, without comments. */
const sections = new Map(
  text
    .replaceAll(/^\s*#.*\n/gm, '')
    .split(/^(?=\w)/m)
    .map((section) => [section.split('\n')[0]!.trim(), section] as const),
);
const defaults = sections.get('defaults')!;
const seconds = (directive: string): number => {
  const [, value, unit] = new RegExp(`^    ${directive} (\\d+)(ms|s)$`, 'm').exec(defaults)!;
  return Number(value) / (unit === 'ms' ? 1000 : 1);
};
const serversOf = (section: string): readonly string[] => section.match(/^ {4}server .*$/gm)!;

describe('the HAProxy example', () => {
  test('has the limits of the exchange, which refuses bodies itself', () => {
    expect(text).toContain(`if { req.hdr_val(content-length) gt ${2 * request.batchBodyBytes} }`);
    expect(seconds('timeout http-request') * 1000).toBe(connection.headersTimeoutMs);
    expect(seconds('timeout client') * 1000).toBe(connection.requestTimeoutMs);
    expect(seconds('timeout server') * 1000).toBeGreaterThan(wireLimits.queueTimeoutMs + wireLimits.answerTimeoutMs);
    expect(seconds('timeout tunnel') * 1000).toBeGreaterThan(streams.silentMs);
  });

  test('says who the client is, and does not serve the operator port', () => {
    expect(text).toContain('http-request set-header X-Forwarded-For %[src]');
    expect(text).not.toContain(String(defaultOf('operatorPort', 'production')));
  });

  test('speaks in the form of the exchange where no node does', () => {
    const told = [...defaults.matchAll(/http-error status (\d+) content-type application\/json string '(.*)'/g)];
    const { serviceUnavailable, gatewayTimeout } = errors;
    const [unavailable, unknown] = [serviceUnavailable, gatewayTimeout].map(({ code, message: msg }) => ({
      code,
      msg,
    }));
    expect(told.map(([, status, body]) => [status, JSON.parse(body!)])).toEqual([
      ['502', unknown],
      ['503', unavailable],
      ['504', unknown],
    ]);
  });
});

describe('DEC-CLU-25: how HAProxy chooses a node', () => {
  test('a client stays with one that is ready, or that lives where none is', () => {
    expect(defaults).toContain('    balance source\n    hash-type consistent\n');
    const [ready, living] = [sections.get('backend ready')!, sections.get('backend living')!];
    expect(ready).toContain(`option httpchk GET ${healthPaths.ready}`);
    expect(living).toContain(`option httpchk GET ${healthPaths.health}`);
    expect(serversOf(living)).toEqual(serversOf(ready));
    expect(serversOf(ready)).toHaveLength(3);
  });

  test('a silent node is left within two seconds', () => {
    const checks = /default-server check inter (\d+)ms fastinter (\d+)ms fall (\d+) rise \d+/.exec(defaults)!;
    const [, inter, fastInter, fall] = checks.map(Number);
    const silence = seconds('timeout check') * 1000;
    expect(inter! + fall! * silence + (fall! - 1) * fastInter!).toBeLessThan(2000);
  });

  test('what may have been done is not sent again', () => {
    expect(defaults.match(/^ {4}retry-on .*$/gm)).toEqual(['    retry-on conn-failure']);
    // Another node each time.
    expect(defaults).toContain('    option redispatch 1\n');
  });
});
