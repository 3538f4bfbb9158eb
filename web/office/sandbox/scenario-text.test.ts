import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { scenarioText } from '#web/office/sandbox/scenario-text.ts';

test.each(readdirSync('scenarios'))('DEC-WEB-64: the page reads the head of %s as YAML does', (file) => {
  const text = readFileSync(`scenarios/${file}`, 'utf8');
  const { name, why } = parse(text) as { readonly name: string; readonly why: string };
  expect(scenarioText(`../../../scenarios/${file}`, text)).toEqual({
    ...{ id: file.replace('.yaml', ''), name, why: why.trim(), text },
  });
});
