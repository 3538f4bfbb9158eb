/**
 * The health check of the image: exits 0 while the exchange of this container takes commands, else 1 with the reason.
 * It asks the operator port, which is where the settings of the container say.
 */
const { BOURSE_OPERATOR_HOST: host = '127.0.0.1', BOURSE_OPERATOR_PORT: port = '8081' } = process.env;
const address = host.includes(':') ? `[${host}]` : host;

try {
  const answer = await fetch(`http://${address}:${port}/readyz`, { signal: AbortSignal.timeout(4000) });
  const text = (await answer.text()).slice(0, 200);
  if (!answer.ok) throw new Error(`${answer.status}: ${text}`);
  console.log(text);
} catch (error) {
  console.error(`not ready: ${error.cause?.message ?? error.message}`);
  process.exitCode = 1;
}
