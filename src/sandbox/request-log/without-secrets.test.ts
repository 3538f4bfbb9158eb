import { expect, test } from 'vitest';
import { createHideSecrets } from '#sandbox/request-log/without-secrets.ts';

const hide = createHideSecrets(() => ['k7Q2vB9xT4mZ8wL1']);

test.each([
  ['{"accessKey":"a","secretKey":"s3cr3t"}', '{"accessKey":"a","secretKey":"***"}'],
  [String.raw`{"password" : "a\"b","x":1}`, '{"password" : "***","x":1}'],
  ['{"listenKey":["one","two"],"total":60}', '{"listenKey":"***","total":60}'],
  ['{"password":"cut short', '{"password":"***"'],
  ['{"password":12345,"x":1}', '{"password":"***","x":1}'],
  ['{"listenKey":["one","tw', '{"listenKey":"***"'],
  ['listenKey=5f3c&x=1', 'listenKey=***&x=1'],
  ['x=1&Password=abc', 'x=1&Password=***'],
  ['/ws?listenKey=5f3c', '/ws?listenKey=***'],
  ['newClientOrderId=k7Q2vB9xT4mZ8wL1', 'newClientOrderId=***'],
  ['{"password":""}', '{"password":"***"}'],
  ['symbol=BTCUSDT&nopassword=1', 'symbol=BTCUSDT&nopassword=1'],
])('DEC-KIT-28: %s is shown as %s', (text, shown) => {
  expect(hide(text)).toBe(shown);
});
