import { expect, test } from 'vitest';
import { tron } from '#custody/addresses/tron.ts';

test.each([
  ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'a614f803b6fd780986a42c78ec9c7f77e6ded13c'],
  ['TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7', '74472e7d35395a6b5add427eecb7f4b62ad2b071'],
])('%s, a contract that everyone knows, stands for its published bytes', (address, bytes) => {
  const reading = tron.read(address);
  expect('payload' in reading && Buffer.from(reading.payload).toString('hex')).toBe(bytes);
});

test.each([
  ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T', 'is not a TRON address: a character is wrong or missing'],
  ['tr7nhqjekqxgtci8q8zy4pl8otszgjlj6t', 'is not a TRON address: a character is wrong or missing'],
  ['41a614f803b6fd780986a42c78ec9c7f77e6ded13c', 'is not a TRON address: a character is wrong or missing'],
  ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'is of another network than TRON'],
  ['L1aW4aubDFB7yfras2S1mN3bqg9nwySY8nkoLmJebSLD5BWv3ENZ', 'has the wrong length'],
])('%s %s', (address, fault) => {
  expect(tron.read(address)).toEqual({ fault });
});
