import { createHmac } from 'node:crypto';
import type { Signer } from './signed-requests.ts';

/** A fresh listen key of the account that the key belongs to. @throws Error when none is given. */
export async function listenKeyOf(port: number, { apiKey, secretKey }: Signer): Promise<string> {
  const query = `timestamp=${Date.now()}`;
  const signature = createHmac('sha256', secretKey).update(query).digest('hex');
  const response = await fetch(`http://127.0.0.1:${port}/api/v3/userDataStream?${query}&signature=${signature}`, {
    method: 'POST',
    headers: { 'X-SVC-APIKEY': apiKey },
  });
  const { listenKey } = (await response.json()) as { listenKey?: string };
  if (listenKey === undefined) throw new Error(`no listen key: ${response.status}`);
  return listenKey;
}
