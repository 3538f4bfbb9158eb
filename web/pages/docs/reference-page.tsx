import { useEffect } from 'preact/hooks';
import { signerOf } from '#client/sign-text.ts';
import { publicClient } from '#web/data/clients.ts';
import { session } from '#web/data/session.ts';
import { AccountChooser } from '#web/pages/docs/account-chooser.tsx';
import { type Caller, type Sent, sendNow } from '#web/reference/caller.ts';
import type { Operation } from '#web/reference/operation.ts';
import { groups } from '#web/reference/read-reference.ts';
import { ReferenceView } from '#web/reference/reference-view.tsx';
import type { RequestText } from '#web/reference/request-text.ts';
import type { Proof } from '#web/reference/snippets.ts';
import { exchange } from '#web/shell/exchange-facts.ts';
import type { PathParts } from '#web/shell/router.ts';
import { furtherPages } from '#web/shell/search.tsx';

function proofFor({ access }: Operation): Proof {
  return access === 'public' ? { kind: 'none' } : { kind: 'keys', keyHeader: exchange.keyHeader, keys: session.value };
}

/** Sends a request of the form, signed where the endpoint asks for that and somebody was chosen. DEC-WEB-71. */
async function send({ access, path: declared }: Operation, { method, path, query }: RequestText): Promise<Sent> {
  const keys = session.peek();
  const base = declared.startsWith('/api/v1/contract/') ? exchange.futuresUrl : '';
  if (access === 'public' || keys === null)
    return sendNow(`${base}${path}${query === '' ? '' : `?${query}`}`, { method });
  if (!window.isSecureContext) throw new Error('This browser signs only on https pages and on pages of this machine.');
  // Asked for each time: the clock of a sandbox may have been moved.
  const { serverTime } = await publicClient.serverTime();
  const dated = `${query === '' ? '' : `${query}&`}timestamp=${serverTime}`;
  const address = `${path}?${dated}&signature=${await signerOf(keys.secretKey)(dated)}`;
  const headers = { [exchange.keyHeader]: keys.accessKey };
  return sendNow(address, { method, headers });
}

/** How to begin, in a few lines. */
const Beginning = () => (
  <div class="beginning">
    <p>
      Prices, quantities and amounts are decimal text, times are milliseconds since 1970 UTC. Market data needs no key.
      Everything else is signed: <code>signature</code> is the HMAC SHA256, under the secret key, of the query and the
      body as they are sent; the header <code>{exchange.keyHeader}</code> names the key, and <code>timestamp</code> is
      the time of the exchange.
    </p>
    <p>
      Choose an account above, and each endpoint shows code that signs by itself, ready to be pasted.{' '}
      <a href="/docs/streams">Streams</a> push what changes. Machines read <a href="/openapi.json">openapi.json</a>.
    </p>
  </div>
);

/** The reference of the public API. DEC-WEB-70. */
export function Page({ parts }: { readonly parts: PathParts }) {
  const all = groups.value;
  useEffect(() => {
    furtherPages.value = (all ?? []).flatMap(({ operations }) =>
      operations.map(({ id, name, method, path }) => ({
        title: name,
        href: `/docs/${id}`,
        about: `${method} ${path}`,
      })),
    );
  }, [all]);
  const caller: Caller = {
    name: session.value?.name ?? null,
    proofFor,
    send,
    asksFirst: exchange.profile === 'production',
  };
  return (
    <ReferenceView title="REST API" caller={caller} chooser={<AccountChooser />} chosen={parts['operation']}>
      <Beginning />
    </ReferenceView>
  );
}
