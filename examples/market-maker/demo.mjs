import { readFileSync } from 'node:fs';

/** Addresses and keys of a running sandbox, from the file that it writes; without one, ends the program with a hint. */
export function readDemo(path = 'data/demo.json') {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    console.error(`No sandbox at ${path} (${error.message}). Start one; with --data DIR, name DIR/demo.json.`);
    process.exit(1);
  }
}
