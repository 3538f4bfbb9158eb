import { describe, expect, test } from 'vitest';
import { wireLimits } from '#http/limits.ts';
import { defaultOf } from '#main/configuration-schema.ts';
import { textOf } from './deploy-files.ts';

const kibibyte = 1024;
const { request, connection, streams } = wireLimits;
const upstream = `127.0.0.1:${defaultOf('port', 'production')}`;

describe('the nginx example', () => {
  const text = textOf('deploy/proxies/nginx.conf');
  /** Values of a directive, wherever it stands. */
  const values = (directive: string): readonly string[] =>
    [...text.matchAll(new RegExp(`^\\s*${directive}\\s+([^;]+);`, 'gm'))].map(([, value]) => value!);
  const seconds = (directive: string): number => Number.parseInt(values(directive).at(-1)!, 10);

  test('passes on to the public port, path and query as they came', () => {
    expect(values('server')[0]).toBe(upstream);
    expect(values('proxy_pass')).toEqual(['http://bourse']);
  });

  test('has the limits of the exchange, which refuses bodies itself', () => {
    expect(values('client_max_body_size')).toEqual([`${(2 * request.batchBodyBytes) / kibibyte}k`]);
    expect(values('large_client_header_buffers')).toEqual([`4 ${request.addressBytes / kibibyte}k`]);
    expect(seconds('client_header_timeout') * 1000).toBe(connection.headersTimeoutMs);
    expect(seconds('client_body_timeout') * 1000).toBe(connection.requestTimeoutMs);
  });

  test('keeps connections for less long than the exchange does, and websockets for longer', () => {
    const [ofUpstream] = values('keepalive_timeout');
    expect(Number.parseInt(ofUpstream!, 10) * 1000).toBeLessThan(connection.keepAliveTimeoutMs);
    expect(seconds('proxy_read_timeout') * 1000).toBeGreaterThan(streams.silentMs);
    expect(seconds('proxy_send_timeout') * 1000).toBeGreaterThan(streams.silentMs);
  });

  test('upgrades websockets, buffers nothing, repeats nothing, and says who the client is', () => {
    const headers = Object.fromEntries(values('proxy_set_header').map((value) => value.split(' ') as [string, string]));
    expect(headers).toEqual({
      Host: '$host',
      'X-Forwarded-For': '$remote_addr',
      Upgrade: '$http_upgrade',
      Connection: '$connection_upgrade',
    });
    expect(values('proxy_http_version')).toEqual(['1.1']);
    expect(values('proxy_buffering')).toEqual(['off']);
    expect(values('proxy_next_upstream')).toEqual(['off']);
  });

  test('does not serve the operator port', () => {
    expect(text).not.toContain(String(defaultOf('operatorPort', 'production')));
  });
});

describe('the Caddy example', () => {
  const text = textOf('deploy/proxies/Caddyfile');
  const value = (directive: string): string => new RegExp(`^\\s*${directive} (.+)$`, 'm').exec(text)![1]!;
  const seconds = (directive: string): number => Number.parseInt(value(directive), 10);

  test('passes on to the public port', () => {
    expect(text).toContain(`reverse_proxy {$BOURSE_UPSTREAM:${upstream}} {`);
    expect(text).not.toContain(String(defaultOf('operatorPort', 'production')));
  });

  test('has the limits of the exchange, which refuses bodies itself', () => {
    expect(value('max_size')).toBe(`${(2 * request.batchBodyBytes) / kibibyte}KiB`);
    expect(value('max_header_size')).toBe(`${request.headerBytes / kibibyte}KiB`);
    expect(seconds('read_header') * 1000).toBe(connection.headersTimeoutMs);
    expect(seconds('read_body') * 1000).toBe(connection.requestTimeoutMs);
  });

  test('keeps connections for less long than the exchange does, and buffers nothing', () => {
    expect(seconds('keepalive') * 1000).toBeLessThan(connection.keepAliveTimeoutMs);
    expect(value('flush_interval')).toBe('-1');
  });
});
