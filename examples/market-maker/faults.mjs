/** What goes wrong, in turns: rules of faults of the sandbox, each of which strikes once. */
const kinds = [
  { channel: 'spot@public.aggre.depth.v3.api.pb@*', fault: { kind: 'gap' } },
  { path: '/api/v3/order', fault: { kind: 'drop', at: 'answer' } },
  { channel: 'spot@public.aggre.depth.v3.api.pb@*', fault: { kind: 'close', code: null } },
  { path: '/api/v3/order', fault: { kind: 'drop', at: 'request' } },
  { channel: 'spot@private.orders.v3.api.pb', fault: { kind: 'close', code: 1001 } },
];

/** Lets one thing go wrong on the running sandbox that `demo` is about, for the account of that key alone. */
export async function breakSomething(demo, { symbol, apiKey, turn }) {
  const { channel, path, fault } = kinds[turn % kinds.length];
  const isPublic = channel?.startsWith('spot@public.');
  const match = path ? { path, method: 'POST', key: apiKey } : isPublic ? { channel, pair: symbol } : { channel };
  const answer = await fetch(`${demo.operator_url}/v1/faults`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.operator_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ match, fault, count: 1 }),
  });
  if (!answer.ok) throw new Error(`No fault was made: ${await answer.text()}`);
}
