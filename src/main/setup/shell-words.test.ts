import { expect, test } from 'vitest';
import { calledAs } from '#main/setup/shell-words.ts';

test.each([
  ['/srv/bin/bourse', 'bourse'],
  ['/srv/bourse/dist/main/bourse.js', 'node /srv/bourse/dist/main/bourse.js'],
  ['/srv/my bourse/dist/main/bourse.js', "node '/srv/my bourse/dist/main/bourse.js'"],
  ['/srv/ann/.npm/_npx/66a4/node_modules/.bin/bourse', 'npx bourse'],
])('DEC-OPR-271: called as %s, the next command is printed as %s', (script, command) => {
  expect(calledAs(script)).toBe(command);
});
