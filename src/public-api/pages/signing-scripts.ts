import type { FastifyInstance } from 'fastify';
import { pageCost, sendPage, SharedPage } from '#http/shared-page.ts';

/**
 * Script of the reference page, served as `/docs/api-keys.js` and loaded as a plugin: a panel for an access key and its
 * secret, which signs the requests that the page sends to signed endpoints. Keys stay in the browser tab, in session
 * storage at most.
 */
export const apiKeysPanelScript = String.raw`
import { signingRules, signRequest } from './request-signing.js';

const storeName = 'bourse-api-keys';
const plainFetch = window.fetch.bind(window);
const readJson = async (address) => (await plainFetch(address)).json();
const rules = readJson('/openapi.json').then(signingRules);

let keys = JSON.parse(sessionStorage.getItem(storeName) ?? 'null');

function useKeys(chosen) {
  keys = chosen;
  if (keys === null) sessionStorage.removeItem(storeName);
  else sessionStorage.setItem(storeName, JSON.stringify(keys));
}

/** Signs requests for signed endpoints of this server once there are keys; everything else goes out as it is. */
window.fetch = async (input, init) => {
  const { origin, pathname } = new URL(input instanceof Request ? input.url : input, location.href);
  if (keys === null || origin !== location.origin || !pathname.startsWith('/api/')) return plainFetch(input, init);
  const request = new Request(input, init);
  const { isSigned, keyHeader } = await rules;
  if (!isSigned(request.method, pathname)) return plainFetch(request);
  const { serverTime } = await readJson('/api/v3/time');
  return plainFetch(await signRequest(request, { ...keys, keyHeader, timestamp: serverTime }));
};

const style = [
  'api-keys{display:block;font-size:14px;color:var(--scalar-color-1);margin:0 auto;' +
    'padding:24px var(--api-keys-inset) 0;' +
    'max-width:calc(var(--refs-content-max-width) + 2 * var(--api-keys-inset));--api-keys-inset:60px}',
  '@media (max-width:1000px){api-keys{--api-keys-inset:24px}}',
  'api-keys form{border:1px solid var(--scalar-border-color);border-radius:8px;padding:14px 16px}',
  'api-keys p{margin:0;color:var(--scalar-color-2)}api-keys strong{color:var(--scalar-color-1);font-weight:600}',
  'api-keys div{display:flex;flex-wrap:wrap;gap:8px;align-items:center;margin-top:10px}',
  'api-keys input,api-keys button{font:inherit;color:inherit;border:1px solid var(--scalar-border-color);' +
    'border-radius:6px;padding:5px 10px;background:var(--scalar-background-1)}',
  'api-keys input{flex:1 1 200px;min-width:0;font-family:var(--scalar-font-code);font-size:13px}',
  'api-keys button{cursor:pointer;background:var(--scalar-background-2)}',
  'api-keys button:hover{background:var(--scalar-background-3)}',
  'api-keys button[aria-pressed=true]{border-color:var(--scalar-color-accent);color:var(--scalar-color-accent)}',
  'api-keys [hidden]{display:none}',
  // The reference's own fields for key and signature: this panel stands in for them.
  '.scalar-reference-intro-auth,[selectedsecurityschemes]{display:none!important}',
].join('');

const content =
  '<style>' + style + '</style><form autocomplete="off">' +
  '<p><strong>API key</strong> The page signs requests to signed endpoints. The secret stays in this tab.</p>' +
  '<div class="demo" hidden><span>Demo accounts:</span></div>' +
  '<div><input name="accessKey" aria-label="Access key" placeholder="Access key" spellcheck="false" required>' +
  '<input name="secretKey" aria-label="Secret key" placeholder="Secret key" type="password" required>' +
  '<button>Use</button><button type="button" class="forget">Forget</button></div>' +
  '<p class="state" role="status" style="margin-top:10px"></p></form>';

customElements.define(
  'api-keys',
  class extends HTMLElement {
    connectedCallback() {
      this.innerHTML = content;
      const form = this.querySelector('form');
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        const { accessKey, secretKey } = form.elements;
        this.use({ accessKey: accessKey.value.trim(), secretKey: secretKey.value.trim() });
      });
      this.querySelector('.forget').addEventListener('click', () => this.use(null));
      this.show();
      this.offerDemoAccounts();
    }

    use(chosen) {
      useKeys(chosen);
      this.show();
    }

    show() {
      const { accessKey, secretKey } = this.querySelector('form').elements;
      accessKey.value = keys?.accessKey ?? '';
      secretKey.value = keys?.secretKey ?? '';
      for (const button of this.querySelectorAll('.demo button')) {
        button.setAttribute('aria-pressed', String(button.value === keys?.accessKey));
      }
      this.querySelector('.state').textContent = this.stateText();
    }

    stateText() {
      if (!window.isSecureContext) return 'This browser signs only on https pages and on pages of this machine.';
      if (keys === null) return 'No key: signed endpoints refuse what this page sends.';
      return 'Requests are signed with ' + keys.accessKey + '.';
    }

    /** In the sandbox: one button for each demo account. Elsewhere the server knows no such page. */
    async offerDemoAccounts() {
      const answer = await plainFetch('/docs/demo-keys.json');
      if (!answer.ok) return;
      const place = this.querySelector('.demo');
      for (const { name, accessKey, secretKey } of await answer.json()) {
        const button = document.createElement('button');
        button.type = 'button';
        button.textContent = name;
        button.value = accessKey;
        button.addEventListener('click', () => this.use({ accessKey, secretKey }));
        place.append(button);
      }
      place.hidden = false;
      this.show();
    }
  },
);

/** The panel stands before the introduction. */
export default () => ({ name: 'api-keys', extensions: [], views: { 'content.start': [{ component: 'api-keys' }] } });
`;

/**
 * Script of the reference page, served as `/docs/request-signing.js`: signs requests by SPEC-CNV-08 and SPEC-CNV-09,
 * using only what every browser and Node offer.
 */
export const requestSigningScript = String.raw`
/** Which operations of an OpenAPI document need a signature, and the header that carries the access key. */
export function signingRules(document) {
  const signed = new Set();
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, { security = [] }] of Object.entries(operations)) {
      if (security.length > 0) signed.add(method.toUpperCase() + ' ' + path);
    }
  }
  return {
    keyHeader: document.components.securitySchemes.accessKey.name,
    isSigned: (method, path) => signed.has(method + ' ' + path),
  };
}

/** HMAC SHA-256 as lower-case hex. */
async function hmac(secret, text) {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  const digest = await crypto.subtle.sign('HMAC', key, encoder.encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What this script makes itself, and what a form leaves empty. */
const isLeftOut = (pair) => pair === '' || /^(signature=.*|timestamp=|recvWindow=)$/.test(pair);

/**
 * The same request with timestamp, signature and access key. The signature covers the query followed by the body, both
 * as they are sent. A timestamp that the user gave stays.
 */
export async function signRequest(request, { keyHeader, accessKey, secretKey, timestamp }) {
  const address = new URL(request.url);
  const pairs = address.search.slice(1).split('&').filter((pair) => !isLeftOut(pair));
  if (!pairs.some((pair) => pair.startsWith('timestamp='))) pairs.push('timestamp=' + timestamp);
  const query = pairs.join('&');
  const body = await request.text();
  address.search = query + '&signature=' + (await hmac(secretKey, query + body));
  const headers = new Headers(request.headers);
  headers.set(keyHeader, accessKey);
  return new Request(address, {
    method: request.method,
    headers,
    body: body === '' ? undefined : body,
    signal: request.signal,
  });
}
`;

/** Path of the plugin with which the reference page signs requests. */
export const signingPluginPath = '/docs/api-keys.js';

const scripts = {
  [signingPluginPath]: apiKeysPanelScript,
  '/docs/request-signing.js': requestSigningScript,
} as const;

/** Registers the scripts that sign requests of the reference page. */
export function registerSigningScripts(app: FastifyInstance): void {
  for (const [path, script] of Object.entries(scripts)) {
    const page = new SharedPage(script, 'text/javascript;charset=utf-8');
    app.get(path, { config: { cost: pageCost } }, (request, reply) => sendPage(request, reply, page));
  }
}
