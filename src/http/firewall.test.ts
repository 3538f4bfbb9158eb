import { expect, test } from 'vitest';
import { ClientAddresses } from '#http/client-address.ts';
import { Firewall } from '#http/firewall.ts';

test('nonsense is counted per window and address', () => {
  const firewall = new Firewall({ denied: [], faultsMax: 2 });
  const address = new ClientAddresses([]).of('198.51.100.1');
  if (address === null) throw new TypeError('an address');
  for (let fault = 0; fault < 2; fault += 1) firewall.countFault(address, 1000);
  expect(firewall.blockedMs(address, 1000)).toBe(0);
  firewall.countFault(address, 2000);
  expect(firewall.blockedMs(address, 3000)).toBe(8000);
  expect(firewall.blockedMs(address, 11_000)).toBe(0);
});
